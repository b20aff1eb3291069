// `npm run sample`: writes the CSV and PDF files of examples/invoices.
import { join } from 'node:path';
import { writeSample } from './sample.ts';

await writeSample(join(import.meta.dirname, '../../examples/invoices'));
