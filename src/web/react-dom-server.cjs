/**
 * In the place of `react-dom/server.edge` (wrangler.toml), which brings React's older renderer as well: 25 kB of the Worker that
 * nobody calls. Which build it is must fit the React that comes with it.
 */
module.exports =
  process.env.NODE_ENV === 'production'
    ? require('../../node_modules/react-dom/cjs/react-dom-server.edge.production.js')
    : require('../../node_modules/react-dom/cjs/react-dom-server.edge.development.js')
