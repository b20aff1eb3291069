import * as texts from '#messages/service/cli.ts';
import type { Config } from '#server/config.ts';

type Connections = Pick<
  Config,
  'host' | 'trustedProxies' | 'databaseUrl' | 'databaseDirectUrl' | 'files' | 'malwareScanner'
>;

/** Names and addresses of this machine, as URLs and `--host` write them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Modes in which `pg` encrypts, and checks the certificate and the host name. */
const VERIFIED_MODES = new Set(['require', 'verify-ca', 'verify-full']);

/**
 * Which connections of a configuration leave the machine without encryption.
 * @returns a warning with the remedy for each, for the administrator
 */
export function warningsOfUnencrypted(config: Connections): string[] {
  const { host, trustedProxies, databaseUrl, databaseDirectUrl, files, malwareScanner } = config;
  const isPublic = !LOOPBACK.test(host) && trustedProxies.length === 0;
  const isPlainDatabase = [databaseUrl, databaseDirectUrl].some(
    (url) => url !== undefined && isPlainPostgres(url),
  );
  const isPlainBucket = typeof files === 'object' && isPlainHttp(files.endpoint);
  const isPlainScanner = malwareScanner !== undefined && isRemoteScanner(malwareScanner);
  return [
    ...(isPublic ? [texts.unencryptedClients(host)] : []),
    ...(isPlainDatabase ? [texts.unencryptedDatabase] : []),
    ...(isPlainBucket ? [texts.unencryptedBucket] : []),
    ...(isPlainScanner ? [texts.unencryptedScanner] : []),
  ];
}

function isPlainPostgres(text: string): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  if (host === '' || host.startsWith('/') || LOOPBACK.test(host)) return false;
  const mode =
    url.searchParams.get('sslmode') ?? (isTrue(url.searchParams.get('ssl')) ? 'require' : '');
  return !VERIFIED_MODES.has(mode);
}

/** clamd has no encryption of its own. */
function isRemoteScanner(address: string): boolean {
  return !address.startsWith('/') && !LOOPBACK.test(address.replace(/:\d+$/, ''));
}

function isPlainHttp(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && !LOOPBACK.test(url.hostname);
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1';
}
