import { fold } from '#shared/fold.ts';

/** Words with which people begin passwords here and that the list does not hold: German, and the product's name. */
const FURTHER_WORDS =
  'indexdesk passwort meinpasswort willkommen schatz sommer winter herbst motdepasse contrasena senha wachtwoord';

interface CommonPasswords {
  /** folded */
  readonly whole: ReadonlySet<string>;
  /** the same without digits and punctuation at the end */
  readonly stems: ReadonlySet<string>;
}

let loading: Promise<CommonPasswords> | undefined;

/**
 * Whether a password is a common one: it is compared after folding, and without digits and punctuation at the end
 * (interface decisions, section 2). Repetitions of one, of a short piece, and runs such as `9876543210` are common, too.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const folded = fold(password);
  const piece = /^(.+?)\1+$/su.exec(folded)?.[1];
  if ((piece !== undefined && piece.length <= 3) || isRun(folded)) return true;
  // Loaded when the first password is set: 49,000 entries, some 20 ms.
  const { whole, stems } = await (loading ??= load());
  return [folded, piece ?? folded].some((text) => whole.has(text) || stems.has(stemOf(text)));
}

async function load(): Promise<CommonPasswords> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const whole = new Set(dictionary['passwords-common'].map(fold));
  const stems = new Set([...[...whole].map(stemOf), ...FURTHER_WORDS.split(' ')]);
  // Digits alone are compared as a whole.
  stems.delete('');
  return { whole, stems };
}

function stemOf(folded: string): string {
  return folded.replace(/[^\p{L}]+$/u, '');
}

/** Whether each character is the next (or the one before) of the one before it: `abcdefghijkl`, `9876543210`. */
function isRun(text: string): boolean {
  for (const step of [1, -1]) {
    let run = true;
    for (let i = 1; run && i < text.length; i++) {
      run = text.charCodeAt(i) - text.charCodeAt(i - 1) === step;
    }
    if (run) return true;
  }
  return false;
}
