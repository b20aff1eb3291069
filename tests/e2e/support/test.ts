import { expect, type Page, test as base } from '@playwright/test';
import { BASE } from '#server/http/paths.ts';

export { expect } from '@playwright/test';

/** What the page says and asks that nobody on the screen sees. */
export interface Watch {
  /** The test provokes these answers of the service; all other errors fail it. */
  expectStatus(...statuses: readonly number[]): void;
  /** The test takes the service away. */
  expectUnreachable(): void;
  /** The test keeps a script from the page, which throws this and says so on the screen. */
  expectThrown(what: RegExp): void;
  /** The test shows content of somebody else, of which the browser runs and loads nothing and says so. */
  expectRefusedContent(): void;
}

interface Options {
  /** whether documents stand beside their form; they take long to draw */
  readonly documents: boolean;
}

/** The browser's own line about a request that did not succeed. */
const FAILED_REQUEST = /^Failed to load resource: (?:.*status of (\d{3})|net::ERR_(\w+))/;
/** The browser's words about scripts, pictures and styles within a frame that it refuses. */
const REFUSED_CONTENT =
  /^(?:Blocked script execution in 'about:srcdoc'|Refused to execute the redirect|Against the policy: (?:(?:img|frame|style|default)-src|script-src-attr)|(?:Loading|Framing|Executing) .* violates the following Content Security Policy)/;
const NO_SERVER = [
  'CONNECTION_REFUSED',
  'INTERNET_DISCONNECTED',
  'CONNECTION_RESET',
  'EMPTY_RESPONSE',
  'SOCKET_NOT_CONNECTED',
];

/**
 * A test whose page may leave no error behind: nothing in the console, nothing thrown, nothing against
 * the content security policy, no refused call but those that the test is about.
 */
export const test = base.extend<Options & { watch: Watch }>({
  documents: [false, { option: true }],
  watch: [
    async ({ page, documents }, use) => {
      const complaints: string[] = [];
      const statuses = new Set<number>();
      const unreachable = { expected: false };
      const refused = { expected: false };
      const thrown: RegExp[] = [];
      await listen(page, (text, url) => {
        const [failed, status, cause] = FAILED_REQUEST.exec(text) ?? [];
        const ofApi = url.includes(BASE);
        if (failed && ofApi && status !== undefined && statuses.has(Number(status))) return;
        if (failed && cause !== undefined && NO_SERVER.includes(cause) && unreachable.expected) {
          return;
        }
        if (text.startsWith('Thrown: ') && thrown.some((what) => what.test(text))) return;
        if (refused.expected && REFUSED_CONTENT.test(text)) return;
        complaints.push(`${text} (${url})`);
      });
      if (!documents) {
        // As a clerk leaves it who has pressed “Hide the document”.
        await page.addInitScript(() => localStorage.setItem('indexdesk-preview', 'hidden'));
      }
      await use({
        expectStatus: (...expected) => expected.forEach((status) => statuses.add(status)),
        expectUnreachable: () => void (unreachable.expected = true),
        expectThrown: (what) => void thrown.push(what),
        expectRefusedContent: () => void (refused.expected = true),
      });
      expect(complaints, 'errors in the console of the page').toEqual([]);
    },
    { auto: true },
  ],
});

async function listen(page: Page, complain: (text: string, url: string) => void): Promise<void> {
  page.on('pageerror', (error) => complain(`Thrown: ${error.stack || error.message}`, page.url()));
  page.on('crash', () => complain('The page crashed', page.url()));
  page.on('console', (message) => {
    const { url } = message.location();
    // A visitor's first call asks who is signed in: nobody.
    const firstCall =
      message.text().includes('status of 401') && url.endsWith(`${BASE}application/sessions`);
    if (message.type() === 'error' && !firstCall) complain(message.text(), url);
  });
  await page.exposeFunction('indexdeskPolicyViolation', (text: string) => complain(text, ''));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const told: unknown = Reflect.get(window, 'indexdeskPolicyViolation');
      const text = `Against the policy: ${event.violatedDirective} ${event.blockedURI}`;
      if (typeof told === 'function') told(text);
    });
  });
}
