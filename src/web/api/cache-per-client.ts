import type { QueryClient } from '@tanstack/react-query';

/**
 * Caches what `create` returns, by query client and keys. It lasts as long as the client, which is as long as the page.
 */
export function cachePerClient<Keys extends string[], Value extends object>(
  create: (client: QueryClient, ...keys: Keys) => Value,
): (client: QueryClient, ...keys: Keys) => Value {
  const caches = new WeakMap<QueryClient, Map<string, Value>>();
  return (client, ...keys) => {
    let cache = caches.get(client);
    if (!cache) caches.set(client, (cache = new Map()));
    const key = JSON.stringify(keys);
    let value = cache.get(key);
    if (!value) cache.set(key, (value = create(client, ...keys)));
    return value;
  };
}
