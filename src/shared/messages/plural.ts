/**
 * Makes the function that chooses a form of a text by a count, by the rules of a language (Unicode CLDR plural rules).
 * Each form is a whole text with its number in it; no text is assembled from pieces.
 * @typeParam Form the categories that the language has for whole numbers, such as `one` and `other`: the compiler then
 * requires all of them for each text
 * @param language a BCP 47 tag
 */
export function createPlural<Form extends Intl.LDMLPluralRule>(language: string) {
  let rules: Intl.PluralRules | undefined;
  return <Text>(count: number, forms: Readonly<Record<Form | 'other', Text>>): Text => {
    rules ??= new Intl.PluralRules(language);
    const form = rules.select(count);
    return hasForm(forms, form) ? forms[form] : forms.other;
  };
}

function hasForm<Form extends string>(
  forms: Readonly<Record<Form, unknown>>,
  form: string,
): form is Form {
  return Object.hasOwn(forms, form);
}
