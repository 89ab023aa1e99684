/**
 * The tracing API of the Workers runtime
 * (https://developers.cloudflare.com/workers/observability/traces/custom-spans/).
 */
declare module 'cloudflare:workers' {
  export const tracing: import('@cloudflare/workers-types').Tracing
}
