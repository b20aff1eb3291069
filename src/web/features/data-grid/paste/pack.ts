/** Makes plain data small. @returns null where the browser cannot */
export async function pack(data: unknown): Promise<ArrayBuffer | null> {
  if (typeof CompressionStream === 'undefined') return null;
  const text = new Response(JSON.stringify(data)).body;
  return text ? new Response(text.pipeThrough(new CompressionStream('gzip'))).arrayBuffer() : null;
}

/** What was packed. */
export async function unpacked(bytes: ArrayBuffer): Promise<unknown> {
  const text = new Response(bytes).body;
  return text && new Response(text.pipeThrough(new DecompressionStream('gzip'))).json();
}
