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

/** The description of a setting for the help, and the name of its value. */
const help = (value: string, description: string) => ({ value, description });

/** Where data and documents' files are stored. */
export const locationsSchema = z.object({
  data: z.string().default('./data').meta(help('DIR', optionTexts.descriptions.data)),
  files: z.string().optional().meta(help('PLACE', optionTexts.descriptions.files)),
  s3Endpoint: z
    .string()
    .regex(/^https?:\/\/[^/?#@]+(?:\/[\w./-]*)?$/, optionTexts.notAnAddress)
    .optional()
    .meta(help('URL', optionTexts.descriptions.s3Endpoint)),
  s3Region: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, optionTexts.notARegion)
    .default('us-east-1')
    .meta(help('NAME', optionTexts.descriptions.s3Region)),
  s3PathStyle: flag.optional().meta(help('true|false', optionTexts.descriptions.s3PathStyle)),
  s3AccessKeyId: z.string().optional().meta(help('', optionTexts.descriptions.s3AccessKeyId)),
  s3SecretAccessKey: z
    .string()
    .optional()
    .meta(help('', optionTexts.descriptions.s3SecretAccessKey)),
});

/**
 * All other settings. `sessionIdleHours` is the flag `--session-idle-hours` and the environment variable
 * `INDEXDESK_SESSION_IDLE_HOURS`. Values are text; the descriptions are those of `serve --help`.
 */
export const settingsSchema = z.object({
  host: z.string().default('127.0.0.1').meta(help('HOST', optionTexts.descriptions.host)),
  port: integer(0, 65_535).default(8080).meta(help('PORT', optionTexts.descriptions.port)),
  databaseUrl: postgresUrl.optional().meta(help('URL', optionTexts.descriptions.databaseUrl)),
  databaseDirectUrl: postgresUrl
    .optional()
    .meta(help('URL', optionTexts.descriptions.databaseDirectUrl)),
  databaseConnections: integer(2, 1000)
    .default(10)
    .meta(help('N', optionTexts.descriptions.databaseConnections)),
  empty: flag.default(false).meta(help('', optionTexts.descriptions.empty)),
  archiveModule: moduleSegment
    .default('archiveapp')
    .meta(help('NAME', optionTexts.descriptions.archiveModule)),
  dataModule: moduleSegment
    .default('dataapp')
    .meta(help('NAME', optionTexts.descriptions.dataModule)),
  publicUrl: publicUrl.optional().meta(help('URL', optionTexts.descriptions.publicUrl)),
  passwordSignIn: flag
    .default(true)
    .meta(help('true|false', optionTexts.descriptions.passwordSignIn)),
  adminPassword: z.string().optional().meta(help('', optionTexts.descriptions.adminPassword)),
  sessionIdleHours: positive(24 * 365)
    .default(8)
    .meta(help('N', optionTexts.descriptions.sessionIdleHours)),
  sessionLifeDays: positive(3650)
    .default(7)
    .meta(help('N', optionTexts.descriptions.sessionLifeDays)),
  oneTimePasswordDays: positive(365)
    .default(7)
    .meta(help('N', optionTexts.descriptions.oneTimePasswordDays)),
  tokenLifeDays: positive(3660).optional().meta(help('N', optionTexts.descriptions.tokenLifeDays)),
  secondFactor: z
    .enum(SECOND_FACTOR_POLICIES, optionTexts.notOneOf(SECOND_FACTOR_POLICIES))
    .default('optional')
    .meta(help('WHO', optionTexts.descriptions.secondFactor(SECOND_FACTOR_POLICIES))),
  maxBatch: integer(1, 1_000_000)
    .default(MAX_BATCH)
    .meta(help('N', optionTexts.descriptions.maxBatch)),
  maxInValues: integer(1, 10_000)
    .default(DEFAULT_LIMITS.inValues)
    .meta(help('N', optionTexts.descriptions.maxInValues)),
  maxKeywords: integer(1, 100_000)
    .default(DEFAULT_LIMITS.keywordValues)
    .meta(help('N', optionTexts.descriptions.maxKeywords)),
  maxBodyBytes: bytes.default(32 * MIB).meta(help('N', optionTexts.descriptions.maxBodyBytes)),
  maxFileBytes: bytes.default(256 * MIB).meta(help('N', optionTexts.descriptions.maxFileBytes)),
  malwareScanner: scannerAddress
    .optional()
    .meta(help('ADDRESS', optionTexts.descriptions.malwareScanner)),
  maxStoredAnswerBytes: bytes
    .default(64 * MIB)
    .meta(help('N', optionTexts.descriptions.maxStoredAnswerBytes)),
  trustedProxies: networks('')
    .refine((list) => list.every(isNetwork), optionTexts.notNetworks)
    .meta(help('LIST', optionTexts.descriptions.trustedProxies)),
  metricsFrom: networks('loopback')
    .transform((list) => (list.join() === 'none' ? [] : list))
    .refine((list) => list.every(isNetwork), optionTexts.notNetworksOrNone)
    .meta(help('LIST', optionTexts.descriptions.metricsFrom)),
  headerSeconds: positive(3600).default(20).meta(help('N', optionTexts.descriptions.headerSeconds)),
  anonymousBodySeconds: positive(3600)
    .default(5)
    .meta(help('N', optionTexts.descriptions.anonymousBodySeconds)),
  stallSeconds: positive(3600).default(30).meta(help('N', optionTexts.descriptions.stallSeconds)),
  maxStreamSeconds: positive(24 * 3600)
    .default(600)
    .meta(help('N', optionTexts.descriptions.maxStreamSeconds)),
  maxConnections: integer(1, 1_000_000)
    .default(10_000)
    .meta(help('N', optionTexts.descriptions.maxConnections)),
  maxRequests: integer(1, 1_000_000)
    .default(1000)
    .meta(help('N', optionTexts.descriptions.maxRequests)),
  maxHeavyRequests: integer(1, 10_000)
    .default(4)
    .meta(help('N', optionTexts.descriptions.maxHeavyRequests)),
  maxQuerySeconds: positive(600)
    .default(10)
    .meta(help('N', optionTexts.descriptions.maxQuerySeconds)),
  maxDelaySeconds: positive(600)
    .default(2)
    .meta(help('N', optionTexts.descriptions.maxDelaySeconds)),
  maxWaitSeconds: positive(600)
    .default(10)
    .meta(help('N', optionTexts.descriptions.maxWaitSeconds)),
  drainSeconds: integer(0, 8).default(2).meta(help('N', optionTexts.descriptions.drainSeconds)),
  figuresByPerson: flag
    .default(false)
    .meta(help('true|false', optionTexts.descriptions.figuresByPerson)),
  language: z
    .string()
    .regex(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/, optionTexts.notALanguage)
    .default('en')
    .meta(help('TAG', optionTexts.descriptions.language)),
  timeZone: z
    .string()
    .refine(isTimeZone, optionTexts.notATimeZone)
    .default(new Intl.DateTimeFormat().resolvedOptions().timeZone)
    .meta(help('ZONE', optionTexts.descriptions.timeZone)),
  logLevel: z
    .enum(LOG_LEVELS, optionTexts.notOneOf(LOG_LEVELS))
    .default('info')
    .meta(help('LEVEL', optionTexts.descriptions.logLevel(LOG_LEVELS))),
});

/** The sign-in provider (OpenID Connect). */
export const oidcSchema = z.object({
  oidcIssuer: secureUrl.optional().meta(help('URL', optionTexts.descriptions.oidcIssuer)),
  oidcClientId: z.string().optional().meta(help('ID', optionTexts.descriptions.oidcClientId)),
  oidcClientSecret: z.string().optional().meta(help('', optionTexts.descriptions.oidcClientSecret)),
  oidcScopes: z
    .string()
    .default('openid profile email')
    .refine((scopes) => scopes.split(/[ ,]+/).includes('openid'), optionTexts.notScopes)
    .transform((scopes) => scopes.split(/[ ,]+/).filter(Boolean).join(' '))
    .meta(help('LIST', optionTexts.descriptions.oidcScopes)),
  oidcName: z
    .string()
    .regex(/^(?!password$)\S(?:.{0,58}\S)?$/iu, optionTexts.notAProviderName)
    .optional()
    .meta(help('NAME', optionTexts.descriptions.oidcName)),
  oidcUsernameClaim: z
    .string()
    .default('preferred_username')
    .meta(help('NAME', optionTexts.descriptions.oidcUsernameClaim)),
  oidcGroupsClaim: z
    .string()
    .default('groups')
    .meta(help('NAME', optionTexts.descriptions.oidcGroupsClaim)),
  oidcGroupMap: nameMap.optional().meta(help('JSON', optionTexts.descriptions.oidcGroupMap)),
  oidcRequiredClaims: nameMap
    .optional()
    .meta(help('JSON', optionTexts.descriptions.oidcRequiredClaims)),
  oidcCreateUsers: flag
    .default(false)
    .meta(help('true|false', optionTexts.descriptions.oidcCreateUsers)),
  oidcTypedLogout: flag
    .default(false)
    .meta(help('true|false', optionTexts.descriptions.oidcTypedLogout)),
  oidcSignOut: flag.default(true).meta(help('true|false', optionTexts.descriptions.oidcSignOut)),
});

/** Settings that only the environment can set: other users of the machine could read a flag. */
export const SECRET: readonly PropertyKey[] = [
  'adminPassword',
  's3AccessKeyId',
  's3SecretAccessKey',
  'oidcClientSecret',
];
