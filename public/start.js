// Runs before the first paint, so that a page in dark never flashes in light.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('indexdesk-color-scheme');
  } catch {
    // Storage may be forbidden; the system's own choice holds then.
  }
  var dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// Fetches what the page at this address begins with while its first scripts are still being read: responses of the
// service, which they take from here (src/web/api/preloaded-responses.ts), and the files of the page or of the sign-in
// screen, which the build names (vite.config.ts). What is not here is fetched when it is needed.
(function () {
  var content = function (name) {
    var meta = document.querySelector('meta[name="' + name + '"]');
    return meta ? meta.content : '';
  };
  if (content('indexdesk') === '') return;
  var settings = JSON.parse(content('indexdesk'));
  var responses = new Map();
  var read = function (path) {
    var response = fetch(path, {
      headers: { Accept: 'application/json' },
      credentials: 'same-origin',
      cache: 'no-store',
    });
    responses.set(path, response);
    // Without a response the scripts ask again.
    return response.catch(function () {
      return null;
    });
  };
  window.indexdeskPreloadedResponses = responses;

  void start();

  async function start() {
    var response = await read(settings.base + 'application/sessions');
    if (!response) return;
    if (!response.ok) return fetchFiles(['sign-in']);
    var parts = location.pathname.split('/');
    var kind = parts[1];
    fetchFiles(['frame', kind === 'archives' && parts[3] === 'queue' ? 'queue' : kind]);
    var modules = { archives: settings.archiveModule, tables: settings.dataModule };
    if (!Object.hasOwn(modules, kind) || !parts[2]) return;
    var list = settings.base + 'application/' + modules[kind] + '/' + kind + '/' + parts[2];
    if (kind === 'tables') void read(list);
    if (parts.length > 3) return;
    void read(list + '/views');
    if (location.search === '') void readFirstPage(list, kind === 'tables' ? 'datasets' : 'index');
  }

  // Left in no particular view, the list begins with its first page. Left in another one, that is read for nothing,
  // which costs less than waiting for the response to be looked at while the scripts are being run.
  async function readFirstPage(list, rows) {
    var page =
      list + '/' + rows + '?limit=100&offset=0' + (rows === 'datasets' ? '&findings=true' : '');
    void read(page);
    var response = await read(list + '/lastview');
    if (!response || !response.ok) return;
    var last = await response.clone().json();
    // Whoever comes to the plain list later wants it as it is then.
    if (last.search) responses.delete(page);
  }

  function fetchFiles(pages) {
    for (var line of content('indexdesk-files').split(';')) {
      var [name, files] = line.split('=');
      // Without a build no files are named.
      if (files && pages.includes(name)) for (var file of files.split(',')) fetchFile(file);
    }
  }

  function fetchFile(file) {
    var link = document.createElement('link');
    if (file.endsWith('.css')) {
      link.rel = 'preload';
      link.as = 'style';
    } else link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = '/' + file;
    document.head.append(link);
  }
})();
