# Evenpost in one image: `docker build -t evenpost .`
# It runs as an ordinary user. With DATABASE_URL it uses that PostgreSQL; without, the embedded one in the volume /data.

FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
# The image brings its own Node; the ready-made one among the packages is for machines with an old one.
RUN npm ci --omit=dev && rm -rf node_modules/node-* node_modules/.bin/node
COPY contract contract
COPY web web
RUN node node_modules/vite/bin/vite.js build web --logLevel warn

FROM node:26-slim
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/web/dist web/dist
COPY package.json package-lock.json .npmrc .env.example LICENSE ./
COPY contract contract
COPY server server
COPY scripts scripts
RUN mkdir -m 711 /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
# Asks on METRICS_PORT where there is one, as a worker serves no pages.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/health-check.mjs"]
# No npm in between: SIGTERM reaches Evenpost itself, which ends in order within 15 seconds.
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=50", "server/main.ts"]
