// Writes the digests of common passwords that the service refuses (src/server/modules/passwords/common-passwords.bin):
//   node scripts/common-passwords.ts
// Sources, all MIT: the packages @zxcvbn-ts/language-common (49,233 passwords, the most used first, of the ten million
// leaked ones that xato.net has published) and @zxcvbn-ts/language-en, -de and -fr (the most used words of films'
// subtitles, and first names).
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as german } from '@zxcvbn-ts/language-de';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { dictionary as french } from '@zxcvbn-ts/language-fr';
import {
  COMMON_PASSWORDS_FILE,
  commonPasswordDigest,
  passwordKey,
} from '#server/modules/passwords/common-passwords.ts';

/** Words with which people begin passwords here and that the lists do not hold, and the product's name. */
const FURTHER_WORDS =
  'indexdesk passwort meinpasswort willkommen schatz sommer winter herbst motdepasse contrasena senha wachtwoord';

/** A word of fewer than four characters before digits says little of them. */
const WORD = /^\p{L}.{3,}$/su;

/** The keys of all common passwords, each once. */
export function commonPasswordKeys(): ReadonlySet<string> {
  const words = [
    english['commonWords-en'],
    english['firstnames-en'],
    german['commonWords'],
    german['firstnames'],
    french['commonWords-fr'],
    french['firstnames-fr'],
    FURTHER_WORDS.split(' '),
  ].flat();
  return new Set([
    ...common['passwords-common'].map(passwordKey),
    ...words.map(passwordKey).filter((word) => WORD.test(word)),
  ]);
}

/** The content of the file. */
export function commonPasswordDigests(): Buffer {
  const digests = Array.from(commonPasswordKeys(), commonPasswordDigest);
  return Buffer.concat(digests.sort((a, b) => a.compare(b)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(COMMON_PASSWORDS_FILE, commonPasswordDigests());
  process.stdout.write(`${commonPasswordKeys().size} common passwords.\n`);
}
