import * as optionTexts from '#messages/service/options.ts';
import * as z from 'zod';

/* Parsers for the values of settings, which are text. */

export const MIB = 1024 * 1024;

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, optionTexts.notWhole)
    .transform(Number)
    .pipe(z.int().min(min, optionTexts.atLeast(min)).max(max, optionTexts.atMost(max)));

export const positive = (max: number) =>
  z
    .string()
    .regex(/^[0-9]+(?:\.[0-9]+)?$/, optionTexts.notANumber)
    .transform(Number)
    .pipe(z.number().positive(optionTexts.notPositive).max(max, optionTexts.atMost(max)));

const UNITS: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: MIB, GiB: 1024 * MIB };
export const bytes = z
  .string()
  .regex(/^[0-9]{1,12}(?:[KMG]iB)?$/, optionTexts.notBytes)
  .transform((text) => Number.parseInt(text, 10) * (UNITS[text.replace(/^[0-9]+/, '')] ?? 1))
  .pipe(z.int().min(1024, optionTexts.tooFewBytes));

export const flag = z
  .enum(['true', 'false', '1', '0'], optionTexts.notABoolean)
  .transform((text) => text === 'true' || text === '1');

/** Path segments that the interface itself uses. */
const RESERVED = ['sessions', 'users', 'events', 'configuration'];
export const moduleSegment = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, optionTexts.notASegment)
  .refine((name) => !RESERVED.includes(name), optionTexts.reserved(RESERVED));

export const networks = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((list) => list.split(',').map((item) => item.trim()))
    .transform((list) => list.filter(Boolean));
export const postgresUrl = z.string().regex(/^postgres(?:ql)?:\/\//, optionTexts.notPostgres);

/** `host:port`, where an IPv6 address is in brackets, or the absolute path of a Unix socket. */
export const scannerAddress = z
  .string()
  .regex(/^(?:\/.+|(?:[\w.-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5})$/, optionTexts.notAScanner);

/** `https://host`, or `http://` on this machine, because secrets are sent there. */
export const secureUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}, optionTexts.notASecureUrl);

/** The origin of a web address without a path, such as `https://desk.example.com`. */
export const publicUrl = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  }, optionTexts.notAPublicUrl)
  .transform((text) => new URL(text).origin);

/** JSON of an object whose members are names or lists of names. */
export const nameMap = z.string().transform((text, context): ReadonlyMap<string, string[]> => {
  const parsed = nameMapSchema.safeParse(parseJson(text));
  if (parsed.success) return new Map(Object.entries(parsed.data));
  context.addIssue({ code: 'custom', message: optionTexts.notANameMap });
  return z.NEVER;
});

const nameMapSchema = z.record(
  z.string(),
  z.union([z.string().transform((name) => [name]), z.array(z.string())]),
);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
