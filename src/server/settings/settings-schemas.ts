import * as optionTexts from '#messages/service/options.ts';
import * as z from 'zod';
import { DEFAULT_LIMITS, MAX_BATCH } from '#shared/rules/limits.ts';
import { isNetwork } from '#server/lib/networks.ts';
import {
  bytes,
  flag,
  integer,
  MIB,
  moduleSegment,
  nameMap,
  networks,
  positive,
  postgresUrl,
  publicUrl,
  scannerAddress,
  secureUrl,
} from './value-schemas.ts';
import { SECOND_FACTOR_POLICIES } from '#shared/rules/second-factor.ts';

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Where data and documents' files are stored. */
export const locationsSchema = z.object({
  data: z.string().default('./data').meta({ value: 'DIR' }),
  files: z.string().optional().meta({ value: 'PLACE' }),
  s3Endpoint: z
    .string()
    .regex(/^https?:\/\/[^/?#@]+(?:\/[\w./-]*)?$/, optionTexts.notAnAddress)
    .optional()
    .meta({ value: 'URL' }),
  s3Region: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, optionTexts.notARegion)
    .default('us-east-1')
    .meta({ value: 'NAME' }),
  s3PathStyle: flag.optional().meta({ value: 'true|false' }),
  s3AccessKeyId: z.string().optional(),
  s3SecretAccessKey: z.string().optional(),
});

/**
 * All other settings. `sessionIdleHours` is the flag `--session-idle-hours` and the environment variable
 * `INDEXDESK_SESSION_IDLE_HOURS`. Values are text; `meta` names them in `serve --help`.
 */
export const settingsSchema = z.object({
  host: z.string().default('127.0.0.1').meta({ value: 'HOST' }),
  port: integer(0, 65_535).default(8080).meta({ value: 'PORT' }),
  databaseUrl: postgresUrl.optional().meta({ value: 'URL' }),
  databaseDirectUrl: postgresUrl.optional().meta({ value: 'URL' }),
  databaseConnections: integer(2, 1000).default(10).meta({ value: 'N' }),
  empty: flag.default(false),
  archiveModule: moduleSegment.default('archiveapp').meta({ value: 'NAME' }),
  dataModule: moduleSegment.default('dataapp').meta({ value: 'NAME' }),
  publicUrl: publicUrl.optional().meta({ value: 'URL' }),
  passwordSignIn: flag.default(true).meta({ value: 'true|false' }),
  adminPassword: z.string().optional(),
  sessionIdleHours: positive(24 * 365)
    .default(8)
    .meta({ value: 'N' }),
  sessionLifeDays: positive(3650).default(7).meta({ value: 'N' }),
  oneTimePasswordDays: positive(365).default(7).meta({ value: 'N' }),
  tokenLifeDays: positive(3660).optional().meta({ value: 'N' }),
  secondFactor: z
    .enum(SECOND_FACTOR_POLICIES, optionTexts.notOneOf(SECOND_FACTOR_POLICIES))
    .default('optional')
    .meta({ value: 'WHO' }),
  maxBatch: integer(1, 1_000_000).default(MAX_BATCH).meta({ value: 'N' }),
  maxInValues: integer(1, 10_000).default(DEFAULT_LIMITS.inValues).meta({ value: 'N' }),
  maxKeywords: integer(1, 100_000).default(DEFAULT_LIMITS.keywordValues).meta({ value: 'N' }),
  maxBodyBytes: bytes.default(32 * MIB).meta({ value: 'N' }),
  maxFileBytes: bytes.default(256 * MIB).meta({ value: 'N' }),
  malwareScanner: scannerAddress.optional().meta({ value: 'ADDRESS' }),
  maxStoredAnswerBytes: bytes.default(64 * MIB).meta({ value: 'N' }),
  trustedProxies: networks('')
    .refine((list) => list.every(isNetwork), optionTexts.notNetworks)
    .meta({ value: 'LIST' }),
  metricsFrom: networks('loopback')
    .transform((list) => (list.join() === 'none' ? [] : list))
    .refine((list) => list.every(isNetwork), optionTexts.notNetworksOrNone)
    .meta({ value: 'LIST' }),
  headerSeconds: positive(3600).default(20).meta({ value: 'N' }),
  anonymousBodySeconds: positive(3600).default(5).meta({ value: 'N' }),
  stallSeconds: positive(3600).default(30).meta({ value: 'N' }),
  maxStreamSeconds: positive(24 * 3600)
    .default(600)
    .meta({ value: 'N' }),
  maxConnections: integer(1, 1_000_000).default(10_000).meta({ value: 'N' }),
  maxRequests: integer(1, 1_000_000).default(1000).meta({ value: 'N' }),
  maxHeavyRequests: integer(1, 10_000).default(4).meta({ value: 'N' }),
  maxQuerySeconds: positive(600).default(10).meta({ value: 'N' }),
  maxDelaySeconds: positive(600).default(2).meta({ value: 'N' }),
  maxWaitSeconds: positive(600).default(10).meta({ value: 'N' }),
  drainSeconds: integer(0, 8).default(2).meta({ value: 'N' }),
  figuresByPerson: flag.default(false).meta({ value: 'true|false' }),
  language: z
    .string()
    .regex(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/, optionTexts.notALanguage)
    .default('en')
    .meta({ value: 'TAG' }),
  timeZone: z
    .string()
    .refine(isTimeZone, optionTexts.notATimeZone)
    .default(new Intl.DateTimeFormat().resolvedOptions().timeZone)
    .meta({ value: 'ZONE' }),
  logLevel: z
    .enum(LOG_LEVELS, optionTexts.notOneOf(LOG_LEVELS))
    .default('info')
    .meta({ value: 'LEVEL' }),
});

/** The sign-in provider (OpenID Connect). */
export const oidcSchema = z.object({
  oidcIssuer: secureUrl.optional().meta({ value: 'URL' }),
  oidcClientId: z.string().optional().meta({ value: 'ID' }),
  oidcClientSecret: z.string().optional(),
  oidcScopes: z
    .string()
    .default('openid profile email')
    .refine((scopes) => scopes.split(/[ ,]+/).includes('openid'), optionTexts.notScopes)
    .transform((scopes) => scopes.split(/[ ,]+/).filter(Boolean).join(' '))
    .meta({ value: 'LIST' }),
  oidcName: z
    .string()
    .regex(/^(?!password$)\S(?:.{0,58}\S)?$/iu, optionTexts.notAProviderName)
    .optional()
    .meta({ value: 'NAME' }),
  oidcUsernameClaim: z.string().default('preferred_username').meta({ value: 'NAME' }),
  oidcGroupsClaim: z.string().default('groups').meta({ value: 'NAME' }),
  oidcGroupMap: nameMap.optional().meta({ value: 'JSON' }),
  oidcRequiredClaims: nameMap.optional().meta({ value: 'JSON' }),
  oidcCreateUsers: flag.default(false).meta({ value: 'true|false' }),
  oidcTypedLogout: flag.default(false).meta({ value: 'true|false' }),
  oidcSignOut: flag.default(true).meta({ value: 'true|false' }),
});

/** Settings that only the environment can set: other users of the machine could read a flag. */
export const SECRET: readonly PropertyKey[] = [
  'adminPassword',
  's3AccessKeyId',
  's3SecretAccessKey',
  'oidcClientSecret',
];

/** The schemas of all settings, in the order of the help. */
export const SCHEMAS = { ...locationsSchema.shape, ...settingsSchema.shape, ...oidcSchema.shape };

const { secondFactor, logLevel, ...fixedTexts } = optionTexts.descriptions;

/** What each setting is for. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...fixedTexts,
  secondFactor: secondFactor(SECOND_FACTOR_POLICIES),
  logLevel: logLevel(LOG_LEVELS),
} satisfies Record<keyof typeof SCHEMAS, string>;
