import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Names of networks in the settings, as in Fastify's `trustProxy`. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Whether a text is an address, a network (`10.0.0.0/8`) or the name of a group of networks. */
export function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/', 1);
  if (isIP(address) === 0) return Object.hasOwn(NAMED, text);
  return text === address || ipaddr.isValidCIDR(text);
}

/** @returns whether an address is in one of the networks, each of which `isNetwork` accepts */
export function withinNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks.flatMap((name) => NAMED[name] ?? [name])) {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Some proxies append a port to the address, a different one for each connection. */
const WITH_PORT = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/;

/** The network that counts as one client: an IPv4 address, or the /64 network that an IPv6 customer has. */
export function networkOf(given: string): string {
  const address = WITH_PORT.exec(given)?.slice(1).find(Boolean) ?? given;
  // An IPv4 address has one spelling.
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
