import { INVOICES, SUPPLIERS as SUPPLIER_TABLE } from '#tests/support/sample.ts';
import { PASSWORD } from '#tests/support/password.ts';

export { INVOICES };

/** The password of every user of the end-to-end tests. */

/** Who can be signed in: the administrator that `serve` makes, two clerks who may write, one who reads. */
export type Username = 'admin' | 'anna' | 'ben' | 'rita';

export const SUPPLIERS = SUPPLIER_TABLE.guid;

/** An archive of values that are easily spoilt on their way through a form. */
export const LETTERS = 'LETTERS';

const field = (name: string, value: string | number | boolean | null) => ({ name, value });
const user = (username: Username, displayName: string, right: 'read' | 'write') => ({
  username,
  displayName,
  role: right === 'read' ? 'reader' : 'clerk',
  password: PASSWORD,
  rights: {
    archives: { [INVOICES]: right, [LETTERS]: right },
    tables: { [SUPPLIER_TABLE.name]: right },
  },
});

/** What is loaded beside the sample content. */
export const MORE_CONTENT = {
  archives: [
    {
      guid: '1d6f3b0e-7c53-4d8a-9a3e-5f0c2b9e7a11',
      table: LETTERS,
      name: 'Letters',
      indexFields: [
        { name: 'SUBJECT', label: 'Subject', type: 'text', required: true, maxLength: 80 },
        { name: 'BODY', label: 'Body', type: 'text' },
        { name: 'SENDER', label: 'Sender', type: 'text', maxLength: 60 },
        { name: 'WEIGHT', label: 'Weight', type: 'decimal', scale: 3 },
        { name: 'SENTAT', label: 'Sent', type: 'datetime' },
        { name: 'REGISTERED', label: 'Registered', type: 'boolean' },
      ],
      keywordFields: [{ name: 'TOPIC', label: 'Topic' }],
      documents: [1, 2, 3, 4].map((revisionId) => ({
        revisionId,
        indexFields: [
          field('SUBJECT', `Letter ${revisionId}`),
          field('BODY', ' Dear Sir,\r\n\r\nthe goods\tcame late.  \nLF alone\rCR alone\r\n'),
          field('SENDER', revisionId === 2 ? '' : '  Zoë  Ångström '),
          field('WEIGHT', 0.125),
          field('SENTAT', '2026-03-01T23:59:59.120-09:30'),
          field('REGISTERED', null),
        ],
        keywordFields: [
          { name: 'TOPIC', value: 'late, very late' },
          { name: 'TOPIC', value: ' spaces ' },
        ],
      })),
    },
  ],
  users: [
    user('anna', 'Anna Weiss', 'write'),
    user('ben', 'Ben Carter', 'write'),
    user('rita', 'Rita Reading', 'read'),
  ],
};
