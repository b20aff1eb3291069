/**
 * Invented firms. Number | name | street | postcode | city | country | subject | letterhead | accent colour |
 * domain (all under .example) | days to pay | cash discount in % | form of the invoice number.
 * In the form, `Y` is the year, `y` its two last digits, `#` the running number.
 */
const LIST = `
70010|Papierfabrik Müggelwerder GmbH|Mühlenweg 3|21079|Hamburg|DE|paper|band|#1f5f4a|mueggelwerder|30|2|RE-Y-00#
70020|Druckerei Jörgensen & Söhne KG|Schwarzer Kamp 41|24103|Kiel|DE|printing|classic|#7a1f2b|joergensen-druck|30|2|#/Y
70030|Stadtwerke Elmenbrück AG|Am Wasserturm 1|21337|Lüneburg|DE|energy|printout|#0b4f8a|sw-elmenbrueck|14|0|4100y#
70040|Spedition Großkötter GmbH & Co. KG|Güterstraße 88|48155|Münster|DE|transport|printout|#b3261e|grosskoetter|21|0|R y0#
70050|Büromöbel Röthlisburg GmbH|Tischlergasse 9|99084|Erfurt|DE|furniture|grid|#c2571a|roethlisburg|30|3|A-#
70060|Systemhaus Käfernberg GmbH|Funkturmallee 27|38106|Braunschweig|DE|hardware|grid|#2b50c8|kaefernberg|14|0|Y-11#
70070|Gebäudereinigung Öztürk & Lüdemann GmbH|Wäscherstieg 5|20535|Hamburg|DE|cleaning|band|#0a7d8c|oeztuerk-luedemann|14|0|RGy-#
70080|Kanzlei Dr. Schäfer-Brühl Partnerschaft|Neuer Jungfernsteg 12a|20354|Hamburg|DE|consulting|classic|#3a3a44|schaefer-bruehl|14|0|#/y
70090|Softwarekontor Übersee GmbH|Brooktorkai 19|20457|Hamburg|DE|software|grid|#6b2fb3|kontor-uebersee|30|0|SKU-Y#
70100|Feinpapier Grünwaldt e. K.|Lange Zeile 7|90419|Nürnberg|DE|paper|classic|#2d5a27|gruenwaldt|30|2|#-y
70110|Buchbinderei Hölzle GmbH|Fadenstraße 16|72764|Reutlingen|DE|printing|band|#5b3a1e|hoelzle-buch|30|2|H y/#
70120|Kurierdienst Föhnwind UG|Eilbekpfad 2|22089|Hamburg|DE|transport|grid|#d1370c|foehnwind|7|0|FWy0#
70130|Ökostrom Elbmündung eG|Deichkrone 4|27472|Cuxhaven|DE|energy|band|#3c7a1d|oekostrom-elbe|14|0|E-Y-#
70140|Lagerhaus Süderholz GmbH|Speicherring 60|18055|Rostock|DE|transport|classic|#1d3f5e|suederholz|30|0|LS/Y/#
70150|Wörtherwald Kartonagen GmbH|Lindwurmgasse 11|9020|Klagenfurt|AT|paper|band|#a3172b|woertherwald|30|2|ARy#
70160|Übersetzungsbüro Pröll & Partner OG|Sporgassl 23|8010|Graz|AT|consulting|classic|#44336b|proell-partner|14|0|HN #-y
70170|Zürcher Lichtsatz AG|Werkhofstrasse 102|8005|Zürich|CH|printing|grid|#e30613|lichtsatz|30|0|Y.#
70180|Gebrüder Rüegsegger Transporte AG|Güterbahnhofweg 6|4132|Muttenz|CH|transport|printout|#14532d|rueegsegger|30|2|F#
70190|Kühnis Informatik AG|Bleichemattweg 14|5000|Aarau|CH|software|band|#0f4c81|kuehnis-informatik|30|0|KI-y#
70200|Elektrizitätswerk Hinterthal|Schleusenplatz 1|4410|Liestal|CH|energy|printout|#8a5a00|ew-hinterthal|30|0|7700#
70210|Thistlewood Paper Mills Ltd|Weir Lane|BA14 8JH|Trowbridge|GB|paper|classic|#4b2e63|thistlewood-paper|30|0|TPM/#
70220|Harcombe & Vale Printers Ltd|31 Compositor Row|EX4 3QP|Exeter|GB|printing|classic|#1b4332|harcombe-vale|30|2|HV#
70230|Penhallow Freight Services Ltd|Dock Road 4, Avonmouth|BS11 9DL|Bristol|GB|transport|printout|#123a6b|penhallow-freight|30|0|SI-0#
70240|Brightwater Energy Supply plc|Cistern House, 2 Sluice Street|CF10 4QN|Cardiff|GB|energy|band|#00738a|brightwater-energy|14|0|BW 66#
70250|Ashdown Office Interiors Ltd|Unit 7, Turnstone Park|GL2 5EA|Gloucester|GB|furniture|grid|#b4532a|ashdown-interiors|30|0|INV-#
70260|O'Dowd & Fairclough LLP|14 Chancel Court|BS1 4ST|Bristol|GB|consulting|classic|#5a1a1a|odowd-fairclough|14|0|F/Y/#
70270|Cobblestone Software Ltd|The Old Tannery, Mill Street|OX2 0HP|Oxford|GB|software|grid|#0d6efd|cobblestone-software|30|0|CS-1#
70280|Tollgate Cleaning Services Ltd|9 Turnpike Close|BS3 2NW|Bristol|GB|cleaning|band|#1c7c54|tollgate-cleaning|14|0|y-0#
70290|Ballyvard Cloud Services Ltd|Harbour Exchange, Quay 6|D02 XK21|Dublin|IE|software|grid|#00857c|ballyvard-cloud|14|0|BCS-Y-0#
70300|Fernbridge Analytics, Inc.|480 SW Alder Terrace, Suite 310|OR 97204|Portland|US|software|band|#24344d|fernbridge-analytics|30|0|#-FA
70310|Larkspur Publishing Systems LLC|77 Cooper Alley|RI 02903|Providence|US|software|classic|#191919|larkspur-systems|14|0|LPS-#
70320|Van der Zwaluw Logistics B.V.|Kanaaldijk 215|3044 EK|Rotterdam|NL|transport|printout|#d35400|zwaluw-logistics|30|0|VFy-#
70330|Papeteries de l'Érable SAS|18, chemin des Écorces|38500|Voiron|FR|paper|band|#8c1c13|papeteries-erable|30|2|FA-Y-#
70340|Imprimerie Desrosières & Fils|5 bis, rue du Composteur|42000|Saint-Étienne|FR|printing|classic|#6a040f|desrosieres|30|0|F y.#
70350|Énergies du Val-Clairet SA|1, place de l'Écluse|69400|Villefranche|FR|energy|printout|#1d4ed8|val-clairet|15|0|EVC#
70360|Transports Lefèvre-Crémieux SARL|ZA des Peupliers, lot 12|69800|Saint-Priest|FR|transport|grid|#ca3c00|lefevre-cremieux|30|0|yT-#
70370|Cabinet Béranger, Noël & Associés|40, quai des Célestins|69002|Lyon|FR|consulting|classic|#2f3e46|beranger-noel|15|0|Y/#
70380|Logiciels Garrigue SAS|220, avenue du Pic-Noir|34000|Montpellier|FR|software|grid|#9b1d64|garrigue|30|0|GARy-#
70390|Mobilier Châtaignier SARL|3, rue de la Râpe|71000|Mâcon|FR|furniture|band|#704214|chataignier|30|2|MC #
70400|Nettoyage Clair-Matin SARL|29, montée du Gué|69005|Lyon|FR|cleaning|grid|#0081a7|clair-matin|30|0|CM-Y/#
70410|Cartonnerie de la Haute-Meuse SRL|Rue du Rempart 8|5500|Dinant|BE|paper|printout|#5f0f40|cartonnerie-meuse|30|2|V1/y#
`;

export const SUBJECTS = [
  'paper',
  'printing',
  'software',
  'energy',
  'transport',
  'hardware',
  'furniture',
  'cleaning',
  'consulting',
] as const;
export type Subject = (typeof SUBJECTS)[number];

export const COUNTRIES = ['AT', 'BE', 'CH', 'DE', 'FR', 'GB', 'IE', 'NL', 'US'] as const;
export type Country = (typeof COUNTRIES)[number];

export const LETTERHEADS = ['band', 'classic', 'grid', 'printout'] as const;
export type LetterheadName = (typeof LETTERHEADS)[number];

/** One line of the list, its fields in order. */
export const SUPPLIER_ROWS = LIST.trim()
  .split('\n')
  .map((line) => line.split('|'));
