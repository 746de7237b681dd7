# The relay and the bridge in one image, from the packages in dist/.
#   npm run package -- servers
#   docker build -t heliograph .
#   docker run -p 8080:8080 -v relay:/data heliograph heliograph-relay
#   docker run -p 8081:8080 -v bridge:/data heliograph heliograph-bridge

# Debian, because the native code of uWebSockets.js needs the GNU C library. The digest names the index of all platforms.
ARG NODE_IMAGE=node:22.22.0-bookworm-slim@sha256:dd9d21971ec4395903fa6143c2b9267d048ae01ca6d3ea96f16cb30df6187d94
FROM ${NODE_IMAGE} AS packages
COPY dist/heliograph-relay-*.tgz dist/heliograph-bridge-*.tgz /packages/
RUN npm install --global --prefix /opt/heliograph --offline --ignore-scripts /packages/*.tgz
# The packages contain the native code of every platform. The image keeps only its own.
RUN find /opt/heliograph -name 'uws_*.node' \
  ! -name "uws_linux_$(node -p 'process.arch + "_" + process.versions.modules').node" -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
  PATH=/opt/heliograph/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  RELAY_HOST=0.0.0.0 RELAY_PORT=8080 RELAY_DATA_DIR=/data \
  BRIDGE_HOST=0.0.0.0 BRIDGE_PORT=8080 BRIDGE_DATA_DIR=/data
COPY --from=packages /opt/heliograph /opt/heliograph
RUN install --directory --owner=node --group=node --mode=700 /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT []
CMD ["heliograph-relay"]
