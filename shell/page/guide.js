// Worked examples, architectures and providers in a dialog beside the wizard. Loaded when it is first asked for
// (Host.openGuide): a script of its own, so that the page's first load does not carry it.

globalThis.xuankaGuide = (() => {
  const WORDS = {
    zh: {
      title: '选卡指南', close: '关闭', examples: '做好的例子', examplesHint: '点开即填好全部输入，答案当场算出。',
      cards: '各代架构', cardsHint: '带来什么、要打开什么、缺什么。', providers: '云厂商', providersHint: '机型里是哪种卡；指南里的错处已更正。',
      on: '要打开', formats: '格式', lasts: '会不会过时', software: '软件', from: '起', last: '最后', source: '来源：', slip: '更正：',
      native: '原生', emulated: '模拟', absent: '没有', vector: '无张量核心',
      added: '加入', dropped: '不再支持', needs: '需要', recommended: '建议', planned: '计划', colon: '：',
    },
    en: {
      title: 'Guide', close: 'Close', examples: 'Worked examples', examplesHint: 'One click fills in everything; the answers are computed now.',
      cards: 'Architectures', cardsHint: 'What each brings, what to switch on, what it lacks.', providers: 'Providers', providersHint: 'Which card is in which machine; slips of the guides are put right.',
      on: 'Switch on', formats: 'Formats', lasts: 'Will it last', software: 'Software', from: 'from', last: 'last', source: 'Sources: ', slip: 'Put right: ',
      native: 'native', emulated: 'emulated', absent: 'none', vector: 'no tensor cores',
      added: 'added', dropped: 'dropped', needs: 'needs', recommended: 'recommended', planned: 'planned', colon: ': ',
    },
  };

  function make(tag, properties, ...children) {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children.filter((child) => child !== null && child !== ''));
    return node;
  }

  // Titles of the sources an entry names.
  function sourcesLine(entry, all, words) {
    const titles = (entry.sources || []).map((id) => all.get(id) || id);
    return titles.length ? make('p', { className: 'hint' }, words.source + titles.join('; ')) : '';
  }

  function formatsText(formats, words) {
    return Object.entries(formats || {}).map(([name, how]) => `${name.toUpperCase()} ${words[how] || how}`).join(' · ');
  }

  function softwareList(card, words, lang) {
    const cuda = [card.cuda_first && `${card.cuda_first} ${words.from}`, card.cuda_last && `${words.last} ${card.cuda_last}`].filter(Boolean);
    const lines = [`${card.stack || ''} ${cuda.join(', ')}`.trim()];
    if (card.flash_attention) lines.push(`FlashAttention ${words[card.flash_attention] || card.flash_attention}`);
    for (const one of card.frameworks || []) {
      lines.push(`${[one.name, one.version, words[one.change] || one.change].filter(Boolean).join(' ')}${words.colon}${one.note[lang]}`);
    }
    return make('ul', {}, ...lines.filter(Boolean).map((line) => make('li', {}, line)));
  }

  function cardOf(card, all, words, lang) {
    const named = (name, text) => (text ? make('p', {}, make('b', {}, name + words.colon), text) : '');
    return make('details', {},
      make('summary', {}, make('b', {}, card.covers.join(', ')), ` ${card.vendor}`),
      make('p', {}, card.brings[lang]),
      named(words.on, card.switch_on && card.switch_on[lang]),
      named(words.formats, formatsText(card.formats, words)),
      named(words.lasts, card.obsolescence && card.obsolescence[lang]),
      make('p', {}, make('b', {}, words.software)), softwareList(card, words, lang),
      sourcesLine(card, all, words));
  }

  function providerOf(provider, all, words, lang) {
    return make('details', {},
      make('summary', {}, make('b', {}, provider.name)),
      make('ul', {}, ...provider.families.map((family) => make('li', {}, family.note[lang]))),
      provider.slip ? make('p', {}, make('b', {}, words.slip), provider.slip[lang]) : '',
      sourcesLine(provider, all, words));
  }

  // The answer is worked out by the page's own core once the dialog stands.
  function exampleOf(preset, page, words, lang, open) {
    const answer = make('b', {});
    const button = make('button', { type: 'button' }, preset.title[lang]);
    button.addEventListener('click', () => open(preset));
    setTimeout(() => {
      answer.textContent = JSON.parse(page.core.view(JSON.stringify(preset.request), lang)).answer.headline;
    });
    return make('li', { id: `example-${preset.id}` }, button, answer, make('span', {}, preset.says[lang]));
  }

  // `reference`: the text of reference.json.
  return (page, reference) => {
    if (document.getElementById('guide')) return; // asked for twice while it was loading
    const data = JSON.parse(reference);
    const lang = page.lang();
    const words = WORDS[lang];
    const all = new Map(data.sources.map((source) => [source.id, source.title]));
    const dialog = make('dialog', { id: 'guide' });
    dialog.setAttribute('aria-labelledby', 'guide-title');
    const open = (preset) => {
      dialog.close();
      page.openRequest(preset.request);
    };
    const section = (title, hint, ...content) => [make('h3', {}, title), make('p', { className: 'hint' }, hint), ...content];
    const close = make('button', { type: 'button', className: 'close' }, words.close);
    close.addEventListener('click', () => dialog.close());
    dialog.append(
      make('header', {}, make('h2', { id: 'guide-title' }, words.title), close),
      ...section(words.examples, words.examplesHint,
        make('ul', { className: 'alternatives' }, ...data.presets.map((preset) => exampleOf(preset, page, words, lang, open)))),
      ...section(words.cards, words.cardsHint, ...data.architectures.map((card) => cardOf(card, all, words, lang))),
      ...section(words.providers, words.providersHint, ...data.providers.map((one) => providerOf(one, all, words, lang))));
    dialog.addEventListener('close', () => {
      dialog.remove();
      page.focusCanvas();
    });
    // A click beside it closes it.
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    document.body.append(dialog);
    dialog.showModal();
  };
})();
