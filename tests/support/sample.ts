/** The archive of the sample content (examples/invoices/invoices.json). */
export const INVOICES = 'INVOICES';
/** The table of the sample content. */
export const SUPPLIERS = { guid: 'b3a1f7c4-8d2e-4f60-b5c9-71e0a4d6938b', name: 'SUPPLIERS' };
