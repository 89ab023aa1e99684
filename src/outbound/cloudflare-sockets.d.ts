/** Declares TCP sockets of the Workers runtime. */
declare module 'cloudflare:sockets' {
  type Address = import('@cloudflare/workers-types').SocketAddress
  type Options = import('@cloudflare/workers-types').SocketOptions
  export function connect(address: Address, options?: Options): import('@cloudflare/workers-types').Socket
}
