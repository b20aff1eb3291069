import type { Client } from '#server/http/route.ts';

/** What a browser binds passkeys to (WebAuthn): the domain, and the pages that may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origins: string[];
}

/**
 * From the public address of the service if it is set; else from the host of the request. A proxy that terminates https
 * without being trusted makes the request look like plain http, so the scheme is used only if https is certain.
 */
export function relyingPartyOf(
  publicUrl: string | undefined,
  { host, isSecure }: Pick<Client, 'host' | 'isSecure'>,
): RelyingParty {
  const url = URL.parse(publicUrl ?? `https://${host}`);
  const [id, https] = [url?.hostname ?? '', url?.origin ?? ''];
  if (publicUrl !== undefined || isSecure) return { id, origins: [https] };
  const http = URL.parse(`http://${host}`)?.origin ?? '';
  return { id, origins: [https, http] };
}
