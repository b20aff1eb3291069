import * as texts from '#messages/service/oidc.ts';
import { hash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; place-items: start center; margin: 0; padding: 16vh 16px 24px; }
main { max-width: 34em; }
h1 { font-size: 1.25em; }
small { opacity: 0.7; }
`;

/** What the page may load: only its own style. */
export const ERROR_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page that explains why signing in or out failed, for a browser on its way from or to the provider. */
export function errorPage(title: string, messages: readonly string[], requestId: string): string {
  const lines = messages.map((message) => `<p>${escapeHtml(message)}</p>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · Indexdesk</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${lines.join('\n')}
<p><a href="/sign-in">${escapeHtml(texts.backToSignIn)}</a></p>
<p><small>${escapeHtml(texts.requestId(requestId))}</small></p>
</main>
</body>
</html>
`;
}
