/** The options of `serve` and other commands: their descriptions in the help, and what is wrong with a value. */
export const descriptions = {
  data: 'data directory (./data)',
  files: "documents' files: a directory, or s3://bucket/prefix (`files` in the data directory)",
  s3Endpoint: "the bucket's server (Amazon's)",
  s3Region: "the bucket's region (us-east-1)",
  s3PathStyle: 'whether the bucket is in the path of URLs (true with --s3-endpoint)',
  s3AccessKeyId: "the bucket's access key",
  s3SecretAccessKey: "the bucket's secret key",
  host: 'address to listen on (127.0.0.1)',
  port: 'port; 0 for any free one (8080)',
  databaseUrl: 'postgres://…; without it SQLite in the data directory',
  databaseDirectUrl: 'the same database without a pooler, for notifications',
  databaseConnections: 'maximum connections to PostgreSQL, without the one for notifications (10)',
  empty: 'no sample content',
  archiveModule: 'path segment of the archives (archiveapp)',
  dataModule: 'path segment of the tables (dataapp)',
  publicUrl: 'address at which browsers reach the service, such as https://desk.example.com',
  passwordSignIn:
    'false: only administrators sign in with a password, on the machine of the service (true)',
  adminPassword: 'password of the user admin at the first start (generated and printed once)',
  sessionIdleHours: 'hours without a request after which a session ends (8)',
  sessionLifeDays: 'days after which a session ends in any case (7)',
  oneTimePasswordDays: 'days after which a one-time password that was not changed expires (7)',
  tokenLifeDays: 'maximum days for which new tokens are valid (no limit)',
  secondFactor: (policies: readonly string[]) =>
    `who has to have a second factor: ${policies.join(', ')} (optional)`,
  maxBatch: 'maximum revisions or datasets of one request (10000)',
  maxInValues: 'maximum values of an `in` list of a filter (1000)',
  maxKeywords: 'maximum values of a keyword field in a request (1000)',
  maxBodyBytes: 'maximum size of a JSON body (32MiB)',
  maxFileBytes: 'maximum size of a file (256MiB)',
  malwareScanner: 'clamd, which scans uploaded files: host:port, or the path of its socket (none)',
  maxStoredAnswerBytes:
    'maximum size of the responses stored for the idempotency keys of a user (64MiB)',
  trustedProxies: 'addresses or networks of proxies whose X-Forwarded-… headers count',
  metricsFrom: 'addresses or networks that may read /metrics, or none (loopback)',
  headerSeconds: 'how long a client may take for the headers of a request (20)',
  anonymousBodySeconds: 'how long the body of a request without a session may take (5)',
  stallSeconds: 'how long a client may make no progress in a body or a response (30)',
  maxStreamSeconds: 'how long an event stream lasts before the client reconnects (600)',
  maxConnections: 'maximum simultaneous connections (10000)',
  maxRequests: 'maximum simultaneous requests (1000)',
  maxHeavyRequests: 'maximum simultaneous exports, imports and plans (4)',
  maxQuerySeconds: 'how long a list, count or other query may take (10)',
  maxDelaySeconds: 'delay of the event loop above which requests are refused (2)',
  maxWaitSeconds: 'wait for the database above which requests are refused (10)',
  drainSeconds: 'how long requests are served after SIGTERM while /readyz answers 503 (2)',
  timeZone: 'time zone of today and now in checks, such as Europe/Berlin (that of the machine)',
  figuresByPerson:
    'true: users who manage an archive or table see how many findings each person has corrected (false)',
  language: 'language of the web admin, of those that are built (en)',
  logLevel: (levels: readonly string[]) => `${levels.join(', ')} (info)`,
  oidcIssuer: 'issuer of the OpenID Connect provider with which people sign in',
  oidcClientId: 'id of this service at the provider',
  oidcClientSecret: 'secret of this service at the provider',
  oidcScopes: 'scopes that are requested (openid profile email)',
  oidcName: "the provider's name on the sign-in page (its host)",
  oidcUsernameClaim: 'claim with the user name (preferred_username)',
  oidcGroupsClaim: 'claim with the groups (groups)',
  oidcGroupMap:
    'groups to set at each sign-in, as JSON: {"group of the provider": "group of Indexdesk"}',
  oidcRequiredClaims:
    'JSON of claims that the ID token must have, such as {"acr": ["mfa"]}; names of values or lists of them',
  oidcCreateUsers: 'whether users are created at their first sign-in (false)',
  oidcTypedLogout: 'whether logout tokens without the type logout+jwt are refused (false)',
  oidcSignOut: 'whether signing out also signs out at the provider (true)',
};

/** A problem, which is one of the texts below, with its option: `--port must be at least 1.` */
export const problem = ({ option, problem }: { option: string; problem: string }) =>
  `${option} ${problem}.`;
export const notWhole = 'must be a whole number';
export const notANumber = 'must be a number';
export const notPositive = 'must be above 0';
export const atLeast = (min: number) => `must be at least ${min}`;
export const atMost = (max: number) => `must be at most ${max}`;
export const notBytes = 'must be a number of bytes, or one of KiB, MiB or GiB (32MiB)';
export const tooFewBytes = 'must be at least 1024 bytes';
export const notABoolean = 'must be true or false';
export const notASegment = 'must be a path segment of letters, digits, _ and -';
export const reserved = (names: readonly string[]) => `must not be one of ${names.join(', ')}`;
export const notPostgres = 'must begin with postgres://';
export const notAnAddress = 'must be an address such as https://s3.example.com';
export const notAScanner =
  'must be host:port, or the path of a socket such as /run/clamav/clamd.ctl';
export const notARegion = 'must be a name such as eu-central-1';
export const notASecureUrl = 'must be an address with https, such as https://login.example.com';
export const notAPublicUrl = 'must be an address without a path, such as https://desk.example.com';
export const notANameMap = 'must be a JSON object of names, such as {"clerks": "INVOICE_CLERKS"}';
export const notScopes = 'must contain openid';
export const notAProviderName = 'must be a name of 1 to 60 characters other than password';
export const notNetworks =
  'must be a comma list of addresses or networks, such as 127.0.0.1,10.0.0.0/8';
export const notNetworksOrNone =
  'must be a comma list of addresses or networks, such as 127.0.0.1,10.0.0.0/8, or none';
export const notALanguage = 'must be a language tag such as en or de';
export const notATimeZone = 'must be the name of a time zone such as Europe/Berlin';
export const notOneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`;
