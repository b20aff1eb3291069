// `npm run schema`: writes the JSON Schema of definition files, from the schema with which the loader reads them.
import { writeFile } from 'node:fs/promises';
import { definitionFileJsonSchema } from '#server/modules/definition-files/definition-schema.ts';

const FILE = new URL('../docs/interface/definition-file.schema.json', import.meta.url);

await writeFile(FILE, `${JSON.stringify(definitionFileJsonSchema(), null, 2)}\n`);
