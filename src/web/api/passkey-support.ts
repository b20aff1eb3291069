import { readStoredText, storeText } from './browser-storage.ts';

/** Whether this browser can use passkeys on this page: over https or on this computer, and not under an IP address. */
export function canUsePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    !/^[\d.]+$|:/.test(location.hostname)
  );
}

const KEY = 'indexdesk passkey used';

/** Whether a passkey has been used in this browser before, so that it is the likely way to sign in. */
export function isPasskeyLikely(): boolean {
  return canUsePasskeys() && readStoredText(KEY) !== null;
}

/** Stores that a passkey was used in this browser, but not by which user. */
export function storePasskeyUse(): void {
  storeText(KEY, 'yes');
}
