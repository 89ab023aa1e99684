/** Where the Workers runtime lets a Node server answer a request (node:http on Workers). */
declare module 'cloudflare:node' {
  export function handleAsNodeRequest(port: number, request: Request): Promise<Response>
}
