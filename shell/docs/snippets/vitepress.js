export default {
  head: [['script', { src: '/xuanka/xuanka-embed.js', defer: '' }]],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'xuanka-calculator' } } },
};
