import { expect, it } from 'vitest';
import {
  canonicalQuery,
  EMPTY_SHA256,
  signatureHeaders,
} from '#server/modules/files/s3/signature.ts';

/** The examples of Amazon's S3 API reference, "Signature Calculations for the Authorization Header". */
const KEYS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const HOST = { host: 'examplebucket.s3.amazonaws.com' };

it.each([
  {
    call: 'GET of a range',
    parts: { method: 'GET', path: '/test.txt', headers: { ...HOST, range: 'bytes=0-9' } },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    call: 'PUT with a body',
    parts: {
      method: 'PUT',
      path: '/test%24file.text',
      headers: {
        ...HOST,
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
      bodySha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    call: 'GET of the bucket with a parameter without a value',
    parts: { method: 'GET', path: '/', query: { lifecycle: '' }, headers: HOST },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    call: 'GET of the bucket with parameters in another order',
    parts: { method: 'GET', path: '/', query: { prefix: 'J', 'max-keys': '2' }, headers: HOST },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
])('signs as the reference: $call', ({ parts, signature }) => {
  const { query, ...rest } = { query: {}, bodySha256: EMPTY_SHA256, ...parts };
  const headers = signatureHeaders(
    { ...rest, query: canonicalQuery(query) },
    KEYS,
    'us-east-1',
    new Date('2013-05-24T00:00:00Z'),
  );
  expect(headers['authorization']).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request, SignedHeaders=/,
  );
  expect(headers['authorization']?.split('Signature=')[1]).toBe(signature);
});
