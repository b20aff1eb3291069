import { TATE_ARTWORKS, TATE_DEFINITION } from '#tests/support/tate.ts';
import { describeWorks } from './tate-works.ts';

describeWorks('the whole Tate collection', async () => ({
  definition: TATE_DEFINITION,
  artworks: TATE_ARTWORKS,
  rows: 69_202,
  crlf: 5_013,
}));
