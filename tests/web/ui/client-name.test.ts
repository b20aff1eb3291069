import { expect, test } from 'vitest';
import { clientName } from '#web/ui/client-name.ts';

const CHROMIUM = (name: string) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${name}/140.0.0.0 Safari/537.36`;

test.each([
  [CHROMIUM('Chrome'), 'Chrome on Linux'],
  [CHROMIUM('HeadlessChrome'), 'Chrome on Linux'],
  [`${CHROMIUM('Chrome')} Edg/140.0.0.0`, 'Edge on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome on iOS',
  ],
  ['curl/8.14.1', 'curl/8.14.1'],
])('the client that sends %s is named %s', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});
