import type { ArticleList } from './article.ts';

export const FRENCH_ARTICLES: ArticleList = {
  paper: [
    ['Bouffant ivoire 80 g, main 1,8', 'rame', 20, 220, 12.95],
    ['Couché demi-mat 135 g, 64 × 90', 'rame', 8, 80, 39.8],
    ['Carton gris 2,4 mm, 75 × 105', 'feuille', 50, 500, 1.72],
    ['Papier de garde vergé, crème', 'rame', 2, 30, 54.3],
    ["Caisses carton pour l'expédition", 'pièce', 200, 1200, 0.79],
    ['Éco-participation et palettes', 'forfait', 1, 1, 32],
  ],
  printing: [
    ['Impression intérieur, cahiers de 16 p.', 'feuille', 2000, 9000, 0.1795],
    ['Couverture quadri, pelliculage mat', 'ex.', 1500, 6000, 0.3],
    ['Brochage cousu, dos carré collé', 'ex.', 1000, 4000, 0.68],
    ['Prépresse, imposition et plaques', 'heure', 2, 12, 69],
    ['Façonnage coffret, série limitée', 'ex.', 50, 400, 5.4],
    ["Bon à tirer, épreuve d'essai", 'forfait', 1, 2, 120],
  ],
  software: [
    ['Abonnement gestion des droits, par poste', 'mois', 6, 40, 36],
    ['Hébergement, environnement de production', 'mois', 1, 6, 295],
    ['Développement spécifique', 'heure', 3, 36, 110],
    ['Formation des utilisateurs', 'journée', 1, 3, 890],
    ['Reprise de données, catalogue', 'forfait', 1, 1, 1250],
  ],
  energy: [
    ['Électricité, heures pleines', 'kWh', 1500, 11000, 0.2146],
    ['Électricité, heures creuses', 'kWh', 400, 4200, 0.1589],
    ['Abonnement, puissance 36 kVA', 'mois', 1, 2, 54.7],
    ['Acheminement (part fixe)', 'mois', 1, 2, 21.35],
    ['Accise sur l’électricité', 'kWh', 1500, 9000, 0.0205],
  ],
  transport: [
    ['Messagerie Lyon – Paris, palette 80 × 120', 'palette', 1, 12, 64.8],
    ['Affrètement Lyon – Genève, 7,5 t', 'voyage', 1, 3, 486],
    ['Supplément gazole', 'voyage', 1, 4, 28.9],
    ['Livraison en librairie, centre-ville', 'point', 4, 60, 11.4],
    ['Attente au déchargement', 'heure', 1, 3, 42],
  ],
  hardware: [
    ['Écran 27 pouces, réglable en hauteur', 'pièce', 1, 8, 296],
    ['Portable 14 pouces, 32 Go, 1 To', 'pièce', 1, 6, 1290],
    ['Station d’accueil USB-C', 'pièce', 1, 8, 155],
    ['Installation et mise en service', 'heure', 1, 8, 82],
  ],
  furniture: [
    ['Bureau assis-debout, chêne clair', 'pièce', 1, 8, 642],
    ['Fauteuil de travail, dossier résille', 'pièce', 2, 12, 378],
    ['Bibliothèque basse, 2 tablettes', 'pièce', 1, 8, 265],
    ['Livraison et montage à l’étage', 'forfait', 1, 1, 160],
  ],
  cleaning: [
    ['Entretien des bureaux, forfait mensuel', 'mois', 1, 1, 1060],
    ['Nettoyage de la vitrerie', 'm²', 50, 300, 2.6],
    ['Remise en état des sols', 'm²', 40, 260, 4.2],
    ['Fournitures sanitaires', 'lot', 1, 3, 51.9],
  ],
  consulting: [
    ['Conseil en propriété littéraire', 'heure', 1, 12, 240],
    ['Rédaction d’un contrat de cession', 'acte', 1, 3, 680],
    ['Tenue comptable, forfait trimestriel', 'trimestre', 1, 1, 1350],
    ['Frais et débours', 'forfait', 1, 1, 46.2],
    ['Réunion au siège, associé', 'heure', 1, 4, 220],
  ],
};
