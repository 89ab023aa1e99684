/**
 * Takes the place of `react-dom/server.edge` (wrangler.toml), which contains React's older renderer as well: 25 kB of the Worker
 * that nothing calls. The build must be that of the React beside it.
 */
module.exports =
  process.env.NODE_ENV === 'production'
    ? require('../../node_modules/react-dom/cjs/react-dom-server.edge.production.js')
    : require('../../node_modules/react-dom/cjs/react-dom-server.edge.development.js')
