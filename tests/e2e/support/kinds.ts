import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { runInHost } from './hosted-service.ts';
import { handPdf, longPdf, repeatedPdf } from './hand-pdf.ts';

/** An archive of files of all kinds. */
export const KINDS = 'KINDS';
/** Its revisions by what their first file is. */
export const REVISION = {
  fax: 1,
  colours: 2,
  html: 3,
  mail: 4,
  text: 5,
  long: 6,
  jpx: 7,
  jbig2: 8,
  japanese: 9,
  chinese: 10,
  several: 11,
  flat: 12,
  listing: 13,
  broken: 14,
  pictures: 15,
  figures: 16,
  large: 17,
  bombs: 18,
} as const;

const FIXTURES = join(import.meta.dirname, '../../fixtures/documents');

/** What html of somebody unknown may hold. */
const HTML = `<html><head><meta http-equiv="refresh" content="0;url=http://elsewhere.example/moved">
<link rel="stylesheet" href="http://elsewhere.example/style.css"></head>
<body onload="document.title = 'ran'"><h1>Delivery note 4711</h1>
<script>parent.document.title = 'ran'; fetch('http://elsewhere.example/told')</script>
<img src="http://elsewhere.example/pixel.png" alt="" onerror="parent.document.title = 'ran'">
<iframe src="http://elsewhere.example/frame"></iframe>
</body></html>`;

const MAIL = [
  'From: =?utf-8?q?J=C3=BCrgen?= Sommer <sommer@example.com>',
  'To: Records <records@example.org>',
  'Subject: =?utf-8?q?Rechnung_f=C3=BCr_M=C3=A4rz?=',
  'Date: Mon, 02 Mar 2026 10:15:00 +0100',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=part',
  '',
  '--part',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>Gesch=C3=A4ftszeichen 0815</p><img src=3D"http://elsewhere.example/seen.png">',
  '--part',
  'Content-Type: text/plain; charset=utf-8; name=note.txt',
  'Content-Disposition: attachment; filename=note.txt',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('Kept with the mail').toString('base64'),
  '--part--',
  '',
].join('\r\n');

/** Lines of 132 characters, as programs of hosts print them. */
const LISTING = Array.from({ length: 140 }, (_, at) =>
  `${String(at + 1).padStart(4, '0')} ACCOUNT ${4400 + at}`.padEnd(124, '.').concat(' 1.234,5'),
).join('\n');

/** Larger than what is shown of a text; every second byte is the middle of a character. */
const LARGE = `x${'ü'.repeat(1_500_000)}`;

/** What stands in invoices of several countries. */
const FIGURES = ['1.234,50 €', '12.03.2024', '03/04/2024'].join('\n\n');

/** Its only page is followed by itself. */
const ENDLESS_TIFF = Buffer.from('49492a0008000000010000010400010000000a00000008000000', 'hex');

/** A PNG that says of itself that it is so many pixels high and wide. */
function claimed(png: Buffer, pixels: number): Buffer {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(pixels, 16);
  changed.writeUInt32BE(pixels, 20);
  return changed;
}

/** Loads the archive of all kinds beside what is there. @param dataDir of a service that does not run */
export async function loadKinds(dataDir: string): Promise<void> {
  const folder = join(dataDir, '../kinds');
  await mkdir(folder);
  await cp(FIXTURES, folder, { recursive: true });
  const g4 = await readFile(join(folder, 'g4.tif'));
  const jpx = await readFile(join(folder, 'gradient.jp2'));
  const made = {
    'note.html': HTML,
    'letter.eml': MAIL,
    // Windows-1252 as its bytes: “Grüße, 12,50 €”
    'letter.txt': Buffer.from('Gr\xfc\xdfe, 12,50 \x80', 'latin1'),
    'listing.txt': LISTING,
    'figures.txt': FIGURES,
    'large.txt': LARGE,
    'broken.png': tallPng().subarray(0, 30),
    'broken.jpg': 'no picture',
    'broken.tif': g4.subarray(0, 100),
    'broken.eml': Buffer.from([0, 1, 2, 3, 250, 251, 252]),
    'bomb.tif': ENDLESS_TIFF,
    'bomb.png': claimed(tallPng(), 60_000),
    'bomb.pdf': repeatedPdf(7),
    'tall.png': tallPng(),
    'long.pdf': longPdf(50, 10, ledgerPage),
    'flat.pdf': longPdf(1, 500, (page) => `${ledgerPage(page)}\n%${'.'.repeat(40_000)}`),
    'picture.pdf': picturePdf(300, 200, '/Filter /JPXDecode', jpx),
    'scan.pdf': picturePdf(
      850,
      1100,
      '/Filter /JBIG2Decode /ColorSpace /DeviceGray /BitsPerComponent 1',
      // The first page of the fax, as its TIFF says where it is.
      jbig2(850, 1100, g4.subarray(8, 8 + 584)),
    ),
    // 請求書 in Shift-JIS, 发票 in UCS-2
    'seikyusho.pdf': cjkPdf('90ms-RKSJ-H', 'Japan1', 'MS-Mincho', '90bf8b818f91'),
    'fapiao.pdf': cjkPdf('UniGB-UCS2-H', 'GB1', 'STSong-Light', '53d17968'),
  };
  for (const [name, data] of Object.entries(made)) await writeFile(join(folder, name), data);
  const files: Readonly<Record<keyof typeof REVISION, readonly string[]>> = {
    fax: ['g4.tif'],
    colours: ['lzw.tif'],
    html: ['note.html'],
    mail: ['letter.eml'],
    text: ['letter.txt'],
    long: ['long.pdf'],
    flat: ['flat.pdf'],
    jpx: ['picture.pdf'],
    jbig2: ['scan.pdf'],
    japanese: ['seikyusho.pdf'],
    chinese: ['fapiao.pdf'],
    listing: ['listing.txt'],
    broken: ['broken.png', 'broken.jpg', 'broken.tif', 'broken.eml'],
    bombs: ['bomb.pdf', 'bomb.tif', 'bomb.png'],
    pictures: ['tall.png', 'tall.jpg'],
    figures: ['figures.txt'],
    large: ['large.txt'],
    several: ['scan.pdf', 'gradient.jp2', 'letter.txt', 'note.html', 'g4.tif', 'seikyusho.pdf'],
  };
  const archive = {
    guid: '6a0c9f52-40d7-4a0e-8f0e-2b8f3a7f9d31',
    table: KINDS,
    name: 'Kinds',
    indexFields: [
      { name: 'SUBJECT', label: 'Subject', type: 'text' },
      { name: 'TOTAL', label: 'Total', type: 'decimal', scale: 2 },
      { name: 'DATED', label: 'Dated', type: 'date' },
    ],
    keywordFields: [],
    documents: Object.entries(REVISION).map(([kind, revisionId]) => ({
      revisionId,
      indexFields: [{ name: 'SUBJECT', value: kind }],
      keywordFields: [],
      files: Object.entries(files).find(([each]) => each === kind)?.[1] ?? [],
    })),
  };
  const definition = join(folder, 'kinds.json');
  await writeFile(definition, JSON.stringify({ archives: [archive] }));
  await runInHost(['load', definition, '--data', dataDir]);
}

/** What stands on a page of the long PDF: some kilobytes, more than is in sight. */
function ledgerPage(page: number): string {
  const lines = Array.from(
    { length: 250 },
    (_, at) => `(${page}/${at + 1} received from the customer as agreed, without any deduction) '`,
  );
  return `BT /F 7 Tf 8.5 TL 20 810 Td (Ledger page ${page}) Tj\n${lines.join('\n')} ET`;
}

/** A page that is one picture. */
function picturePdf(width: number, height: number, entries: string, data: Buffer): Buffer {
  const size = `/Width ${width} /Height ${height}`;
  return handPdf({
    width,
    height,
    draw: `q ${width} 0 0 ${height} 0 0 cm /Picture Do Q`,
    resources: '/XObject << /Picture 5 0 R >>',
    objects: [{ entries: `/Type /XObject /Subtype /Image ${size} ${entries}`, data }],
  });
}

/** A picture of 40 × 80 dots, all of them dark. */
function tallPng(): Buffer {
  const part = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(40, 0);
  head.writeUInt32BE(80, 4);
  // eight bits of grey
  head.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc(80 * 41));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    part('IHDR', head),
    part('IDAT', rows),
    part('IEND', Buffer.alloc(0)),
  ]);
}

/** JBIG2 as it stands within a PDF (ITU-T T.88): a page and on it one generic region, coded as a fax (MMR). */
function jbig2(width: number, height: number, fax: Buffer): Buffer {
  const segment = (number: number, type: number, data: Buffer) => {
    const head = Buffer.alloc(11);
    head.writeUInt32BE(number, 0);
    head.writeUInt8(type, 4);
    head.writeUInt8(1, 6);
    head.writeUInt32BE(data.length, 7);
    return Buffer.concat([head, data]);
  };
  const page = Buffer.alloc(19);
  page.writeUInt32BE(width, 0);
  page.writeUInt32BE(height, 4);
  const region = Buffer.alloc(18);
  region.writeUInt32BE(width, 0);
  region.writeUInt32BE(height, 4);
  region.writeUInt8(1, 17);
  return Buffer.concat([segment(0, 48, page), segment(1, 38, Buffer.concat([region, fax]))]);
}

/** Large characters of a font that the file does not hold, by a character map that it only names. */
function cjkPdf(map: string, ordering: string, font: string, hex: string): Buffer {
  return handPdf({
    width: 300,
    height: 200,
    draw: `BT /F 60 Tf 40 80 Td <${hex}> Tj ET`,
    resources: '/Font << /F 5 0 R >>',
    objects: [
      `<< /Type /Font /Subtype /Type0 /BaseFont /${font}-${map} /Encoding /${map} /DescendantFonts [6 0 R] >>`,
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${font} /DW 1000 /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 7 0 R >>`,
      `<< /Type /FontDescriptor /FontName /${font} /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>`,
    ],
  });
}
