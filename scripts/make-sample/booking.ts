import type { Chance } from './chance.ts';
import type { Subject } from './supplier-list.ts';
import type { Supplier } from './suppliers.ts';

export const COST_CENTRES = [
  '1000 Administration',
  '2000 Editorial',
  '3000 Production',
  '4000 Sales',
  '5000 Warehouse',
  '6000 IT',
] as const;
type CostCentre = (typeof COST_CENTRES)[number];

const USUAL: Readonly<Record<Subject, readonly [CostCentre, ...CostCentre[]]>> = {
  paper: ['3000 Production', '3000 Production', '5000 Warehouse'],
  printing: ['3000 Production', '3000 Production', '4000 Sales'],
  software: ['6000 IT', '6000 IT', '2000 Editorial'],
  energy: ['1000 Administration', '5000 Warehouse'],
  transport: ['5000 Warehouse', '4000 Sales'],
  hardware: ['6000 IT'],
  furniture: ['1000 Administration', '2000 Editorial'],
  cleaning: ['1000 Administration'],
  consulting: ['2000 Editorial', '1000 Administration'],
};

const PROJECTS: Readonly<Partial<Record<Subject, readonly [string, ...string[]]>>> = {
  paper: ['Autumn list 2026', 'Anniversary edition', 'Spring list 2026'],
  printing: ['Autumn list 2026', 'Spring list 2026', 'Anniversary edition', 'Atlas of Rivers'],
  software: ['Website relaunch', 'Royalty accounts'],
  transport: ['Warehouse move', 'Frankfurt Book Fair'],
  hardware: ['Website relaunch', 'Bristol office'],
  furniture: ['Bristol office', 'Warehouse move'],
  consulting: ['Atlas of Rivers', 'Royalty accounts'],
};

const REMARKS = [
  'Delivery note missing, asked for by e-mail.',
  'Part delivery.\nThe rest comes in the following month; do not close the order.',
  'Price differs from the order: agreed by telephone with Ms Brandt.',
  'Cash discount taken.',
  'Two cartons damaged.\r\nCredit note announced:\r\n– carton 3: wet\r\n– carton 7: corners crushed',
  'Réclamation en cours : quantité livrée inférieure à la commande.',
  'Rückfrage bei Einkauf, Bestellung wurde nachträglich erhöht.\nFreigabe: Hr. Weiß, mündlich.',
  'Split over two cost centres from next year on.',
  'Please keep the original: grant funding, ten years.',
  'Invoice came twice (post and e-mail), second copy destroyed.',
] as const;

/** How the publisher's accounts department books an invoice. */
export function bookingOf(supplier: Supplier, date: string, chance: Chance) {
  const subjects: string[] = [supplier.subject];
  if (supplier.subject === 'printing' && chance.odds(0.3)) subjects.push('paper');
  if (supplier.subject === 'hardware' && chance.odds(0.5)) subjects.push('software');
  if (supplier.country === 'US' || (supplier.country === 'NL' && chance.odds(0.5))) {
    subjects.push('import');
  }
  const projects = PROJECTS[supplier.subject];
  const first = projects && chance.odds(0.55) ? [chance.pick(projects)] : [];
  const second = first.length > 0 && chance.odds(0.1) ? [`Budget ${date.slice(0, 4)}`] : [];
  return {
    costCentre: chance.pick(USUAL[supplier.subject]),
    remark: chance.odds(0.22) ? chance.pick(REMARKS) : null,
    subjects,
    projects: [...first, ...second],
  };
}
