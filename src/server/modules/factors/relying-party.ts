import type { Client } from '#server/http/route.ts';

/** What a browser binds passkeys to (WebAuthn): the domain, and the pages that may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origins: string[];
}

/**
 * By the public address of the service where it is set; else by the host to which the request came. A proxy that ends https
 * without being trusted makes the request look like plain http, so the scheme counts only where https is certain.
 */
export function relyingPartyOf(
  publicUrl: string | undefined,
  { host, secure }: Pick<Client, 'host' | 'secure'>,
): RelyingParty {
  const url = URL.parse(publicUrl ?? `https://${host}`);
  const [id, https] = [url?.hostname ?? '', url?.origin ?? ''];
  if (publicUrl !== undefined || secure) return { id, origins: [https] };
  const http = URL.parse(`http://${host}`)?.origin ?? '';
  return { id, origins: [https, http] };
}
