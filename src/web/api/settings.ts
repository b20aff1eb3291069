/** The settings that the server writes into the page, so that none are compiled in. */
interface Settings {
  /** the API's base path, with a slash at both ends */
  readonly base: string;
  readonly archiveModule: string;
  readonly dataModule: string;
  /** the name of the sign-in provider; '' if there is none */
  readonly provider: string;
  /** false: only administrators sign in with a password, on the machine of the service */
  readonly passwordSignIn: boolean;
  /** the time zone in which the day of checks begins, such as `Europe/Berlin` */
  readonly timeZone: string;
}

const DEFAULTS: Settings = {
  base: '/api/rest/v2/',
  archiveModule: 'archiveapp',
  dataModule: 'dataapp',
  provider: '',
  passwordSignIn: true,
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
};

let cached: Settings | undefined;

/** The settings of `<meta name="indexdesk">`; missing ones have the service's defaults. */
export function settings(): Settings {
  cached ??= read(document.querySelector<HTMLMetaElement>('meta[name="indexdesk"]')?.content);
  return cached;
}

function read(content: string | undefined): Settings {
  if (!content) return DEFAULTS;
  const parsed: unknown = JSON.parse(content);
  if (typeof parsed !== 'object' || parsed === null) return DEFAULTS;
  const text = (key: Exclude<keyof Settings, 'passwordSignIn'>): string => {
    const value: unknown = Reflect.get(parsed, key);
    return typeof value === 'string' && value !== '' ? value : DEFAULTS[key];
  };
  return {
    base: text('base'),
    archiveModule: text('archiveModule'),
    dataModule: text('dataModule'),
    provider: text('provider'),
    timeZone: text('timeZone'),
    passwordSignIn: Reflect.get(parsed, 'passwordSignIn') !== false,
  };
}
