/** A text with parts that are not text, such as React elements, in the order in which they are read. */
export type RichText<Part> = readonly (string | Part)[];

/**
 * Tag of a text with elements in it. The text says where each element belongs, so that a translation may move it:
 *
 *     export const deleteView = <Part>(name: Part) => rich`Delete the view ${name}?`;
 */
export function rich<Part>(
  texts: TemplateStringsArray,
  ...parts: readonly (string | Part)[]
): RichText<Part> {
  return texts.flatMap((text, at) => {
    const part = parts[at];
    return part === undefined ? [text] : [text, part];
  });
}
