# syntax=docker/dockerfile:1.7
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS build
WORKDIR /build
COPY . .
# What was downloaded is kept for the next build, outside of the image.
RUN --mount=type=cache,target=/root/.npm --mount=type=cache,target=/root/.local/share/pnpm/store \
    sh tools/image/build-tree.sh /srv/auctions

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20
LABEL org.opencontainers.image.title="auction-service" org.opencontainers.image.licenses="MIT"
RUN install -d -o node -g node -m 0700 /data
COPY --from=build /srv/auctions /srv/auctions
# Without a setting the store is data/auctions.sqlite in the current folder: in the volume. SQLITE_FILE is not set, as MONGODB_URI
# would be a second store then.
WORKDIR /
VOLUME /data
# The user `node`, by number, so that Kubernetes can tell that it is not root.
USER 1000:1000
# The file system may be read-only, and the folder for compiled code is not writable anyway.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 NODE_DISABLE_COMPILE_CACHE=1
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --start-interval=1s CMD ["node", "/srv/auctions/dist/health-check.js"]
# As a list, so that no shell stands between the signals and the service, which handles them as the first process, too.
ENTRYPOINT ["node", "--disable-sigusr1", "/srv/auctions/dist/main.js"]
