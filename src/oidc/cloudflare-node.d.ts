/** Declares how the Workers runtime lets a Node server respond to a request (node:http on Workers). */
declare module 'cloudflare:node' {
  export function handleAsNodeRequest(port: number, request: Request): Promise<Response>
}
