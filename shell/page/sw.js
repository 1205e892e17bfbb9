// Offline after the first visit. Written by the build: the version is that of the files' contents, so a new release is
// a new store, filled before the old one goes. Only the page itself is served from it, never embed.html or the docs.

const STORE = `xuanka ${self.registration.scope} @VERSION@`;
const FILES = @FILES@;
const NETWORK_MS = 4000; // then the page that is here opens

const pathOf = (url) => (url.href.startsWith(self.registration.scope) ? url.href.slice(self.registration.scope.length) : null);

self.addEventListener('install', (event) => {
  const fill = async () => {
    const store = await caches.open(STORE);
    await store.addAll(FILES.map((file) => new Request(file || './', { cache: 'reload' })));
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener('activate', (event) => {
  const clean = async () => {
    const mine = `xuanka ${self.registration.scope} `;
    for (const name of await caches.keys()) {
      if (name.startsWith(mine) && name !== STORE) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

async function kept(file) {
  const store = await caches.open(STORE);
  return store.match(file || './');
}

// The page as it is on the net, or as it was when it was last here.
async function page(request) {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(NETWORK_MS) });
    if (response.ok || response.type === 'opaqueredirect') return response;
  } catch {
    // No network, or none worth waiting for.
  }
  return (await kept('')) || Response.error();
}

async function asset(request, file) {
  return (await kept(file)) || fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  url.hash = '';
  url.search = '';
  const file = pathOf(url);
  if (request.method !== 'GET' || file === null) return;
  if (request.mode === 'navigate') {
    if (file === '' || file === 'index.html') event.respondWith(page(request));
  } else if (file !== '' && FILES.includes(file)) {
    event.respondWith(asset(request, file));
  }
});
