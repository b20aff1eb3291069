import { hash } from 'node:crypto';

/** The strong entity tag (RFC 9110, section 8.8.3) of content without a version: equal for equal content. */
export function contentEtag(content: unknown): string {
  const digest = hash('sha256', JSON.stringify(content), 'base64url');
  return `"${digest.slice(0, 22)}"`;
}
