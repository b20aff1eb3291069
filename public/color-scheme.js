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
