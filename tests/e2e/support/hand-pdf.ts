/** A stream of a PDF: the entries of its dictionary but the length, and its bytes. */
interface Stream {
  readonly entries: string;
  readonly data: Buffer;
}

interface HandPdf {
  /** in units of 1/72 inch */
  readonly width: number;
  readonly height: number;
  /** the operators that draw the page */
  readonly draw: string;
  /** the page's resources; they may name the objects `5 0 R` and following */
  readonly resources: string;
  readonly objects: readonly (string | Stream)[];
}

/** A PDF of one page whose every byte is as given: for what libraries that write PDFs do not write. */
export function handPdf({ width, height, draw, resources, objects }: HandPdf): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << ${resources} >> /Contents 4 0 R >>`,
    { entries: '', data: Buffer.from(draw, 'latin1') },
    ...objects,
  ]);
}

/** Many pages of text, in a tree of `branches` with as many pages each. @param draw the operators of a page, from 1; its font is `/F` */
export function longPdf(
  branches: number,
  pagesOfBranch: number,
  draw: (page: number) => string,
): Buffer {
  const count = branches * pagesOfBranch;
  const numbers = (from: number, length: number, step = 1) =>
    Array.from({ length }, (_, at) => `${from + at * step} 0 R`).join(' ');
  const firstPage = 4 + branches;
  const pages = Array.from({ length: count }, (_, at) => {
    const parent = 4 + Math.floor(at / pagesOfBranch);
    return [
      `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents ${firstPage + at * 2 + 1} 0 R >>`,
      { entries: '', data: Buffer.from(draw(at + 1), 'latin1') },
    ];
  });
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${numbers(4, branches)}] /Count ${count} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...Array.from({ length: branches }, (_, at) => {
      const kids = numbers(firstPage + at * pagesOfBranch * 2, pagesOfBranch, 2);
      return `<< /Type /Pages /Parent 2 0 R /Kids [${kids}] /Count ${pagesOfBranch} >>`;
    }),
    ...pages.flat(),
  ]);
}

/** A PDF of a kilobyte that has 10 to the power of `levels` pages: each branch of its tree names the next one ten times. */
export function repeatedPdf(levels: number): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    ...Array.from({ length: levels }, (_, level) => {
      const kids = Array.from({ length: 10 }, () => `${level + 3} 0 R`).join(' ');
      return `<< /Type /Pages /Kids [${kids}] /Count ${10 ** (levels - level)} >>`;
    }),
    `<< /Type /Page /Parent ${levels + 1} 0 R /MediaBox [0 0 595 842] /Resources << >> >>`,
  ]);
}

/** A file of these objects, numbered from 1; the first is the catalog. */
function pdfOf(objects: readonly (string | Stream)[]): Buffer {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let length = 0;
  const put = (data: string | Buffer) => {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    parts.push(bytes);
    length += bytes.length;
  };
  put('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  objects.forEach((object, at) => {
    offsets.push(length);
    put(`${at + 1} 0 obj\n`);
    if (typeof object === 'string') put(object);
    else {
      put(`<< ${object.entries} /Length ${object.data.length} >>\nstream\n`);
      put(object.data);
      put('\nendstream');
    }
    put('\nendobj\n');
  });
  const start = length;
  const size = objects.length + 1;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  put(`xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`);
  put(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(parts);
}
