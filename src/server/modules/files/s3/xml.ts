const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** The text of the first element of a name without elements of its own in one of S3's short answers; null where there is none. */
export function elementOf(xml: string, name: string): string | null {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? null : unescape(found);
}

/** The insides of all elements of a name. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(
    ([, inside = '']) => inside,
  );
}

function unescape(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi,
    (all, hex, decimal, name) => {
      if (typeof hex === 'string') return String.fromCodePoint(Number.parseInt(hex, 16));
      if (typeof decimal === 'string') return String.fromCodePoint(Number(decimal));
      return ENTITIES[String(name)] ?? all;
    },
  );
}

/** Text as it may stand in an element. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
