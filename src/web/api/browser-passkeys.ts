/** Signs a challenge with a passkey. @throws {DOMException} if the user cancels, or has no passkey for this service */
export async function signByPasskey(publicKey: unknown): Promise<unknown> {
  if (!isRequest(publicKey)) throw new TypeError('The service answered no request for a passkey.');
  return toJson(
    await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey),
    }),
  );
}

/** Creates a passkey. @throws {DOMException} if the user cancels, or the authenticator already has one */
export async function createPasskey(publicKey: unknown): Promise<unknown> {
  if (!isCreation(publicKey)) throw new TypeError('The service answered nothing for a passkey.');
  return toJson(
    await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey),
    }),
  );
}

function toJson(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new TypeError('The browser gave no passkey.');
}

function isRequest(value: unknown): value is PublicKeyCredentialRequestOptionsJSON {
  return typeof value === 'object' && value !== null && 'challenge' in value;
}

function isCreation(value: unknown): value is PublicKeyCredentialCreationOptionsJSON {
  return isRequest(value) && 'user' in value;
}
