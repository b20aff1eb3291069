import * as texts from '#messages/account.ts';

/** What user agents of browsers contain; browsers that name another one for compatibility come before it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, texts.browsers.edge],
  [/\bOPR\//, texts.browsers.opera],
  [/\b(?:Firefox|FxiOS)\//, texts.browsers.firefox],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, texts.browsers.chrome],
  [/\bSafari\//, texts.browsers.safari],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, texts.systems.windows],
  [/\bAndroid\b/, texts.systems.android],
  [/\b(?:iPhone|iPad)\b/, texts.systems.ios],
  [/\bMac OS X\b/, texts.systems.macos],
  [/\bCrOS\b/, texts.systems.chromeos],
  [/\bLinux\b/, texts.systems.linux],
];

/** The name of a browser from its `User-Agent`; other programs by the text they send. */
export function clientName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return texts.unknownClient;
  const find = (known: typeof BROWSERS) => known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  return browser !== undefined && system !== undefined
    ? texts.browserOn({ browser, system })
    : userAgent;
}
