import type { ArticleList } from './article.ts';

export const ENGLISH_ARTICLES: ArticleList = {
  paper: [
    ['Bookwove cream 80 gsm, vol 18, SRA1', 'ream', 20, 220, 14.2],
    ['Silk coated 130 gsm, 640 × 900', 'ream', 8, 80, 41.75],
    ['Case board 2.5 mm', 'sheet', 50, 500, 1.94],
    ['Laid endpaper, ivory, 120 gsm', 'ream', 2, 30, 58.6],
    ['Book post cartons, size 3', 'each', 200, 1200, 0.68],
    ['Pallet delivery, tail lift', 'drop', 1, 3, 62],
  ],
  printing: [
    ['Text sections, 1/1, 16 pp', 'sheet', 2000, 9000, 0.1725],
    ['Cover, 4/0, matt lamination', 'each', 1500, 6000, 0.29],
    ['Section sewing and case binding', 'each', 800, 3000, 1.18],
    ['Pre-press and plates', 'hour', 2, 12, 64],
    ['Author corrections, second proof', 'page', 4, 60, 6.5],
    ['Advance copies by courier', 'parcel', 1, 6, 18.4],
  ],
  software: [
    ['Rights & royalties module, per seat', 'month', 6, 40, 34],
    ['Managed hosting, production', 'month', 1, 6, 325],
    ['Integration work, ONIX feed', 'hour', 3, 36, 125],
    ['Additional storage, 1 TB', 'month', 2, 24, 19.5],
    ['Desktop font licence, 5 users', 'licence', 1, 6, 240],
    ['Onboarding workshop, remote', 'session', 1, 3, 480],
  ],
  energy: [
    ['Electricity, day units, MPAN 22 0014', 'kWh', 1800, 12000, 0.2418],
    ['Electricity, night units', 'kWh', 400, 3800, 0.1637],
    ['Standing charge', 'day', 28, 31, 0.9425],
    ['Gas, meter 7741 Q', 'kWh', 900, 9000, 0.0712],
    ['Climate Change Levy', 'kWh', 1800, 9000, 0.0078],
  ],
  transport: [
    ['Groupage, printed books', 'pallet', 1, 10, 58.5],
    ['Customs entry, printed books', 'entry', 1, 4, 45],
    ['Container haulage, 20 ft', 'load', 1, 2, 612],
    ['Fuel surcharge', 'load', 1, 4, 38.75],
    ['Storage, euro pallet', 'week', 6, 80, 3.1],
    ['Terminal handling', 'unit', 1, 4, 184],
  ],
  hardware: [
    ['Monitor 27", height adjustable', 'each', 1, 8, 279],
    ['Laptop 14", 32 GB, 1 TB', 'each', 1, 6, 1215],
    ['USB-C docking station', 'each', 1, 8, 142],
    ['Setup and delivery', 'hour', 1, 8, 75],
  ],
  furniture: [
    ['Sit-stand desk, 1600 mm, oak', 'each', 1, 8, 598],
    ['Task chair, mesh back', 'each', 2, 12, 346],
    ['Steel tambour cupboard', 'each', 1, 6, 287.5],
    ['Acoustic screen, 1400 mm', 'each', 1, 9, 164],
    ['Delivery and installation', 'visit', 1, 1, 145],
  ],
  cleaning: [
    ['Office cleaning, five visits a week', 'month', 1, 1, 980],
    ['Window cleaning, inside and out', 'visit', 1, 2, 165],
    ['Carpet cleaning', 'm²', 40, 320, 3.2],
    ['Washroom supplies', 'set', 1, 3, 48.6],
  ],
  consulting: [
    ['Contract review, partner', 'hour', 1, 10, 265],
    ['Copyright clearance', 'hour', 2, 14, 185],
    ['Company secretarial services', 'quarter', 1, 1, 420],
    ['Disbursements: search fees', 'item', 1, 6, 12.5],
    ['Attendance at meeting', 'hour', 1, 4, 230],
  ],
};
