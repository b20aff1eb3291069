import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '..', '..', '..');
/** Folders that hold no file of the repository. */
const FOREIGN = /^(?:node_modules|dist|build|data|dev-data|test-results|playwright-report)$|^\..+/;

const read = (path: string) => readFile(join(PROJECT, path), 'utf8');
const exists = (path: string) =>
  access(join(PROJECT, path)).then(
    () => true,
    () => false,
  );

async function filesOf(pattern: string): Promise<string[]> {
  const files: string[] = [];
  const exclude = (name: string) => FOREIGN.test(name);
  for await (const file of glob(pattern, { cwd: PROJECT, exclude })) files.push(file);
  return files.toSorted();
}

/** Without the code, in which brackets are no links and `#` begins no heading. */
const prose = (markdown: string) => markdown.replaceAll(/^ *```.*?^ *```$|`[^`\n]*`/gms, '');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.replaceAll(/^ *```.*?^ *```$/gms, '').matchAll(/^#+ +(.+?) *$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** What is wrong with the relative links of a page: each leads to a file, and to a heading of it. */
async function brokenLinks(page: string): Promise<string[]> {
  const broken: string[] = [];
  for (const [, target = ''] of prose(await read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
    if (!(await exists(file))) broken.push(`${page}: there is no file ${target}`);
    else if (anchor !== undefined && !anchorsOf(await read(file)).has(anchor)) {
      broken.push(`${page}: there is no heading ${target}`);
    }
  }
  return broken;
}

/** `docs/interface/decisions.md, sections 5 and 6`, also with a line break of a comment within. */
const REFERENCE = /\b(docs\/[\w/-]+\.md)(?:,\s+(?:\*\s+)?sections?\s+([\d., and]*\d))?/g;

/** What is wrong with the pages that comments name: each is there, and has the sections. */
async function brokenReferences(source: string): Promise<string[]> {
  const broken: string[] = [];
  for (const [, page = '', sections] of (await read(source)).matchAll(REFERENCE)) {
    if (!(await exists(page))) {
      broken.push(`${source}: there is no file ${page}`);
      continue;
    }
    const text = await read(page);
    for (const [section] of (sections ?? '').matchAll(/\d+(?:\.\d+)?/g)) {
      const heading = new RegExp(String.raw`^#+ ${section.replace('.', String.raw`\.`)}\.? `, 'm');
      if (!heading.test(text)) broken.push(`${source}: ${page} has no section ${section}`);
    }
  }
  return broken;
}

describe('links', () => {
  test('lead to files and headings that exist, in every page', async () => {
    const pages = await filesOf('**/*.md');
    expect(pages).toContain('README.md');
    expect((await Promise.all(pages.map(brokenLinks))).flat()).toEqual([]);
  });

  test('lead to pages and sections that exist, in the comments of every source', async () => {
    const sources = await filesOf('{src,bench,scripts,tests}/**/*.{ts,tsx}');
    expect(sources).toContain('src/shared/contract/errors.ts');
    expect((await Promise.all(sources.map(brokenReferences))).flat()).toEqual([]);
  });
});
