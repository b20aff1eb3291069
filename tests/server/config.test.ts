import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readCommandLine } from '#server/config.ts';

describe('the settings', () => {
  const message = (args: string[], environment: Record<string, string> = {}) => {
    try {
      readCommandLine(args, environment, { 'skip-bad-rows': 'value', quiet: 'switch' });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return error instanceof Error ? error.message : '';
    }
    return 'no error';
  };

  it('have defaults', () => {
    const { inEffect, ...config } = readCommandLine([], {}).config;
    expect(new Set(inEffect.map(({ source }) => source))).toEqual(new Set(['default']));
    expect(config).toEqual({
      host: '127.0.0.1',
      port: 8080,
      dataDir: resolve('data'),
      databaseUrl: undefined,
      databaseDirectUrl: undefined,
      databaseConnections: 10,
      files: undefined,
      empty: false,
      archiveModule: 'archiveapp',
      dataModule: 'dataapp',
      publicUrl: undefined,
      passwordSignIn: true,
      oidc: null,
      adminPassword: undefined,
      sessionIdleHours: 8,
      sessionLifeDays: 7,
      oneTimePasswordDays: 7,
      secondFactor: 'optional',
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      maxBatch: 10_000,
      maxInValues: 1_000,
      maxKeywords: 1_000,
      maxBodyBytes: 32 * 1024 * 1024,
      maxFileBytes: 256 * 1024 * 1024,
      trustedProxies: [],
      metricsFrom: ['loopback'],
      headerSeconds: 20,
      anonymousBodySeconds: 5,
      stallSeconds: 30,
      maxConnections: 10_000,
      maxRequests: 1000,
      maxHeavyRequests: 4,
      maxQuerySeconds: 10,
      maxStoredAnswerBytes: 64 * 1024 * 1024,
      maxStreamSeconds: 600,
      maxDelaySeconds: 2,
      maxWaitSeconds: 10,
      drainSeconds: 2,
      figuresByPerson: false,
      language: 'en',
      logLevel: 'info',
    });
  });

  it('come from flags before the environment', () => {
    const { config, positionals, own } = readCommandLine(
      [
        '--port',
        '0',
        'file.json',
        '--empty',
        '--data=/var/desk',
        '--skip-bad-rows',
        'bad.csv',
        '--quiet',
      ],
      {
        INDEXDESK_PORT: '9000',
        INDEXDESK_HOST: '0.0.0.0',
        INDEXDESK_DATABASE_URL: '',
        INDEXDESK_ADMIN_PASSWORD: 'secret enough',
        INDEXDESK_MAX_FILE_BYTES: '1GiB',
        INDEXDESK_SESSION_IDLE_HOURS: '0.5',
        INDEXDESK_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1, loopback',
      },
      { 'skip-bad-rows': 'value', quiet: 'switch' },
    );
    expect(config).toMatchObject({
      port: 0,
      host: '0.0.0.0',
      empty: true,
      dataDir: '/var/desk',
      adminPassword: 'secret enough',
      maxFileBytes: 1024 ** 3,
      sessionIdleHours: 0.5,
      trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1', 'loopback'],
    });
    expect(config.databaseUrl).toBeUndefined();
    expect(positionals).toEqual(['file.json']);
    expect(own.get('skip-bad-rows')).toBe('bad.csv');
    expect([own.has('quiet'), own.has('loud')]).toEqual([true, false]);
    expect(readCommandLine([], { INDEXDESK_EMPTY: 'true' }).config.empty).toBe(true);
  });

  it.each([
    [['--port', '70000'], '--port (INDEXDESK_PORT) must be at most 65535.'],
    [['--port', 'http'], '--port (INDEXDESK_PORT) must be a whole number.'],
    [['--port'], '--port needs a value.'],
    [['--port', '1', '--port', '2'], '--port is given more than once.'],
    [['--prot', '1'], 'There is no option --prot.'],
    [['-p', '1'], 'There is no option -p.'],
    [['--__proto__', '1'], 'There is no option --__proto__.'],
    [['--empty=yes'], '--empty takes no value.'],
    [['--admin-password', 'x'], 'There is no option --admin-password.'],
    [
      ['--database-url', 'mysql://x'],
      '--database-url (INDEXDESK_DATABASE_URL) must begin with postgres://.',
    ],
    [
      ['--log-level', 'loud'],
      '--log-level (INDEXDESK_LOG_LEVEL) must be one of trace, debug, info, warn, error, fatal, silent.',
    ],
    [
      ['--archive-module', 'users'],
      '--archive-module (INDEXDESK_ARCHIVE_MODULE) must not be one of sessions, users, events, configuration.',
    ],
    [
      ['--archive-module', 'a/b'],
      '--archive-module (INDEXDESK_ARCHIVE_MODULE) must be a path segment of letters, digits, _ and -.',
    ],
    [
      ['--archive-module', 'dataapp'],
      '--data-module (INDEXDESK_DATA_MODULE) must differ from --archive-module (INDEXDESK_ARCHIVE_MODULE).',
    ],
    [
      ['--trusted-proxies', '10.0.0.0/33'],
      '--trusted-proxies (INDEXDESK_TRUSTED_PROXIES) must be a comma list of addresses or networks, such as 127.0.0.1,10.0.0.0/8.',
    ],
    [
      ['--max-body-bytes', '12'],
      '--max-body-bytes (INDEXDESK_MAX_BODY_BYTES) must be at least 1024 bytes.',
    ],
    [
      ['--public-url', 'https://desk.example.com/path'],
      '--public-url (INDEXDESK_PUBLIC_URL) must be an address without a path, such as https://desk.example.com.',
    ],
    [
      ['--oidc-issuer', 'http://login.example.com'],
      '--oidc-issuer (INDEXDESK_OIDC_ISSUER) must be an address with https, such as https://login.example.com.',
    ],
    [
      ['--oidc-issuer', 'https://login.example.com', '--public-url', 'https://desk.example.com'],
      '--oidc-issuer (INDEXDESK_OIDC_ISSUER) needs --oidc-client-id (INDEXDESK_OIDC_CLIENT_ID) and --public-url (INDEXDESK_PUBLIC_URL).',
    ],
    [
      ['--oidc-group-map', '["clerks"]'],
      '--oidc-group-map (INDEXDESK_OIDC_GROUP_MAP) must be a JSON object of names, such as {"clerks": "INVOICE_CLERKS"}.',
    ],
    [['--oidc-scopes', 'profile'], '--oidc-scopes (INDEXDESK_OIDC_SCOPES) must contain openid.'],
  ])('refuse %j', (args, expected) => {
    expect(message(args)).toBe(expected);
  });

  it('tell the provider with which people sign in', () => {
    const { config } = readCommandLine(['--public-url', 'https://Desk.example.com:443/'], {
      INDEXDESK_OIDC_ISSUER: 'https://login.example.com/realms/house',
      INDEXDESK_OIDC_CLIENT_ID: 'indexdesk',
      INDEXDESK_OIDC_CLIENT_SECRET: 'a secret',
      INDEXDESK_OIDC_SCOPES: 'openid,groups',
      INDEXDESK_OIDC_GROUP_MAP: '{"clerks": "INVOICES", "leads": ["INVOICES", "LEADS"]}',
      INDEXDESK_OIDC_REQUIRED_CLAIMS: '{"acr": "mfa"}',
      INDEXDESK_OIDC_CREATE_USERS: 'true',
    });
    expect(config.oidc).toEqual({
      issuer: 'https://login.example.com/realms/house',
      clientId: 'indexdesk',
      clientSecret: 'a secret',
      scopes: 'openid groups',
      name: 'login.example.com',
      usernameClaim: 'preferred_username',
      groupsClaim: 'groups',
      groupMap: new Map([
        ['clerks', ['INVOICES']],
        ['leads', ['INVOICES', 'LEADS']],
      ]),
      requiredClaims: new Map([['acr', ['mfa']]]),
      createUsers: true,
      signOut: true,
      typedLogout: false,
      publicUrl: 'https://desk.example.com',
    });
    expect(JSON.stringify(config.inEffect)).not.toContain('a secret');
    const map = config.inEffect.find(({ name }) => name === 'oidc-group-map');
    expect(map?.value).toBe('{"clerks": "INVOICES", "leads": ["INVOICES", "LEADS"]}');
  });

  it('tell where files are', () => {
    const keys = {
      INDEXDESK_S3_ACCESS_KEY_ID: 'id',
      INDEXDESK_S3_SECRET_ACCESS_KEY: 'secret',
    };
    const filesOf = (args: string[]) => readCommandLine(args, keys).config.files;
    expect(filesOf(['--files', 'shared'])).toBe(resolve('shared'));
    const amazon = {
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      region: 'eu-central-1',
      bucket: 'desk.files',
      prefix: '',
      pathStyle: false,
      keys: { accessKeyId: 'id', secretAccessKey: 'secret' },
    };
    expect(filesOf(['--files', 's3://desk.files', '--s3-region', 'eu-central-1'])).toEqual(amazon);
    const own = ['--s3-endpoint', 'http://store:9000', '--s3-region', 'eu-central-1'];
    expect(filesOf(['--files', 's3://desk.files/a/b', ...own])).toEqual({
      ...amazon,
      endpoint: 'http://store:9000',
      prefix: 'a/b/',
      pathStyle: true,
    });
    const role = readCommandLine(['--files', 's3://desk.files', '--s3-region', 'eu-central-1'], {});
    expect(role.config.files).toEqual({ ...amazon, keys: null });
    expect(message(['--files', 's3://desk'], { INDEXDESK_S3_ACCESS_KEY_ID: 'id' })).toBe(
      'INDEXDESK_S3_ACCESS_KEY_ID and INDEXDESK_S3_SECRET_ACCESS_KEY are needed together. Without both, the keys of an AWS role or of an AWS file are used.',
    );
    expect(message(['--s3-secret-access-key', 'x'])).toBe(
      'There is no option --s3-secret-access-key.',
    );
    for (const place of ['s3://', 's3://X', 's3://desk/../x', 's3://desk/a b', 'http://x/y']) {
      expect(message(['--files', place], keys)).toBe(
        '--files (INDEXDESK_FILES) must be a directory, or a bucket as s3://bucket or s3://bucket/prefix.',
      );
    }
  });

  it('name every bad one at once', () => {
    expect(message([], { INDEXDESK_PORT: 'x', INDEXDESK_MAX_BATCH: '0' })).toBe(
      '--port (INDEXDESK_PORT) must be a whole number.\n--max-batch (INDEXDESK_MAX_BATCH) must be at least 1.',
    );
  });
});
