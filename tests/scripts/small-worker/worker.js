export default { fetch: () => new Response('small') }
