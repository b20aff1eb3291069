import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { PasskeyAssertion, PasskeyAttestation } from '#shared/contract/factor-requests.ts';
import type { StoredPasskey } from './factors.store.ts';
import type { RelyingParty } from './relying-party.ts';

/** Loaded when a passkey is first used: it takes 28 MB of memory. */
const library = () => import('@simplewebauthn/server');

const NAME = 'Indexdesk';
/** Milliseconds that a browser waits for the user. */
const TIMEOUT = 5 * 60_000;

/** Keys of an authenticator, as browsers name them. */
type Descriptor = Pick<StoredPasskey, 'credentialId' | 'transports'>;

function descriptors(passkeys: readonly Descriptor[]) {
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: readTransports(transports),
  }));
}

function readTransports(json: string): string[] {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list.map(String) : [];
}

/** Bytes of a text in base64url. */
function bytesOf(text: string) {
  return new Uint8Array(Buffer.from(text, 'base64url'));
}

interface NewPasskeyUser {
  /** opaque, the same for all passkeys of the user; base64url */
  readonly handle: string;
  readonly username: string;
}

/**
 * What a browser needs to create a passkey. It is discoverable and verifies its user (PIN, fingerprint), so that it is both
 * factors in one.
 */
export async function creationOptions(
  { id }: RelyingParty,
  { handle, username }: NewPasskeyUser,
  challenge: string,
  existing: readonly Descriptor[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: id,
    userID: bytesOf(handle),
    userName: username,
    userDisplayName: username,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT,
    attestationType: 'none',
    excludeCredentials: descriptors(existing),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** @returns null if the answer is not a new passkey for the challenge */
export async function verifyAttestation(
  { id, origins }: RelyingParty,
  challenge: string,
  { response: { transports = [], ...response }, ...attestation }: PasskeyAttestation,
): Promise<Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'> | null> {
  const { verifyRegistrationResponse } = await library();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...attestation, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification: true,
    });
    if (!registrationInfo) return null;
    const { credential } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(transports),
    };
  } catch {
    // The library throws for each kind of invalid input.
    return null;
  }
}

/** What a browser needs to sign a challenge. @param passkeys the allowed ones; empty: any of this site */
export async function requestOptions(
  { id }: RelyingParty,
  challenge: string,
  passkeys: readonly Descriptor[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: id,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT,
    userVerification: 'required',
    ...(passkeys.length === 0 ? {} : { allowCredentials: descriptors(passkeys) }),
  });
}

/** @returns the new counter of the authenticator; null if the passkey has not signed the challenge */
export async function verifyAssertion(
  { id, origins }: RelyingParty,
  challenge: string,
  passkey: StoredPasskey,
  assertion: PasskeyAssertion,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: id,
      credential: {
        id: passkey.credentialId,
        publicKey: bytesOf(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
