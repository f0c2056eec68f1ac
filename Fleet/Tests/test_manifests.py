"""The manifests, the Dockerfile and the workflow, read by a parser: what the API server and the runner would refuse, and what the
documentation promises. No cluster, no image and no runner is used."""

import re
import unittest
from pathlib import Path

import yaml

from fleet_logs import ROOT

KUBERNETES = ROOT / "Fleet/kubernetes"

# The fields that are used, with their types: a field that is misspelt is in no manifest.
POD = {
    "restartPolicy": str, "automountServiceAccountToken": bool, "terminationGracePeriodSeconds": int,
    "securityContext": {"runAsNonRoot": bool, "runAsUser": int, "runAsGroup": int, "fsGroup": int, "seccompProfile": {"type": str}},
    "containers": [{
        "name": str, "image": str, "command": [str], "args": [str], "env": [{"name": str, "value": str}],
        "resources": {"requests": {"cpu": str, "memory": str}, "limits": {"memory": str}},
        "securityContext": {"allowPrivilegeEscalation": bool, "readOnlyRootFilesystem": bool, "capabilities": {"drop": [str]}},
        "volumeMounts": [{"name": str, "mountPath": str, "readOnly": bool}]}],
    "volumes": [{"name": str, "persistentVolumeClaim": {"claimName": str, "readOnly": bool}, "emptyDir": {"sizeLimit": str}}]}
KINDS = {
    ("batch/v1", "Job"): {
        "completionMode": str, "completions": int, "parallelism": int, "backoffLimitPerIndex": int, "backoffLimit": int, "suspend": bool,
        "podFailurePolicy": {"rules": [{"action": str, "onPodConditions": [{"type": str}],
                                        "onExitCodes": {"operator": str, "values": [int]}}]},
        "template": {"spec": POD}},
    ("v1", "PersistentVolume"): {
        "capacity": {"storage": str}, "accessModes": [str], "persistentVolumeReclaimPolicy": str, "storageClassName": str,
        "mountOptions": [str], "csi": {"driver": str, "volumeHandle": str, "volumeAttributes": {"bucketName": str}}},
    ("v1", "PersistentVolumeClaim"): {
        "accessModes": [str], "storageClassName": str, "volumeName": str, "resources": {"requests": {"storage": str}}}}


def documents(path):
    with open(path, encoding="utf-8") as file:
        return [document for document in yaml.safe_load_all(file) if document]


def mistakes(value, shape, place):
    """What does not fit a shape: a type, a dictionary of members, or a list of one shape."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return ["%s is not an object" % place]
        found = ["%s has no field %s" % (place, name) for name in value if name not in shape]
        return found + [text for name in value if name in shape for text in mistakes(value[name], shape[name], place + "." + name)]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return ["%s is not a list" % place]
        return [text for index, element in enumerate(value) for text in mistakes(element, shape[0], "%s[%d]" % (place, index))]
    # YAML's true is no number.
    return [] if type(value) is shape else ["%s is %r, expected a %s" % (place, value, shape.__name__)]


def at(value, pointer, sets=None):
    """The value at a JSON Pointer; or that place set."""
    *parents, last = pointer.strip("/").split("/")
    for token in parents:
        value = value[int(token) if isinstance(value, list) else token]
    if sets is not None:
        if isinstance(value, list):
            value.append(sets) if last == "-" else value.__setitem__(int(last), sets)
        else:
            value[last] = sets
        return None
    return value[int(last) if isinstance(value, list) else last]


def built(folder):
    """The objects of a kustomization, with its images and patches: the part of kustomize that is used here."""
    (kustomization,) = documents(folder / "kustomization.yaml")
    assert kustomization["apiVersion"] == "kustomize.config.k8s.io/v1beta1" and kustomization["kind"] == "Kustomization"
    unknown = set(kustomization) - {"apiVersion", "kind", "namespace", "resources", "labels", "images", "patches"}
    assert not unknown, unknown
    objects = []
    for resource in kustomization["resources"]:
        path = folder / resource
        objects += built(path) if path.is_dir() else documents(path)
    for patch in kustomization.get("patches", []):
        target = patch["target"]
        found = [item for item in objects
                 if item["kind"] == target["kind"] and re.fullmatch(target["name"], item["metadata"]["name"])]
        assert len(found) == 1, "%s fits %d objects" % (target, len(found))
        for operation in yaml.safe_load(patch["patch"]):
            if operation["op"] == "replace":
                # What is replaced is there.
                at(found[0], operation["path"])
            else:
                assert operation["op"] == "add"
            at(found[0], operation["path"], sets=operation["value"])
    for image in kustomization.get("images", []):
        used = [container for item in objects if item["kind"] == "Job"
                for container in item["spec"]["template"]["spec"]["containers"] if container["image"] == image["name"]]
        assert used, "no container has the image " + image["name"]
        for container in used:
            container["image"] = "%s:%s" % (image["newName"], image["newTag"])
    return objects


class ManifestTests(unittest.TestCase):
    def test_every_object_fits_its_kind(self):
        for name in ["base", "overlay"]:
            for item in built(KUBERNETES / name):
                with self.subTest(name, kind=item["kind"], name=item["metadata"]["name"]):
                    self.assertEqual(set(item), {"apiVersion", "kind", "metadata", "spec"})
                    self.assertRegex(item["metadata"]["name"], r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
                    self.assertEqual(mistakes(item["spec"], KINDS[item["apiVersion"], item["kind"]], "spec"), [])

    def test_the_check_sees_mistakes(self):
        shape = KINDS["batch/v1", "Job"]
        for spec, message in [({"completionmode": "Indexed"}, "spec has no field completionmode"),
                              ({"completions": "8"}, "spec.completions is '8', expected a int"),
                              ({"template": {"spec": {"containers": [{"env": [{"name": "SHARDS", "value": 8}]}]}}},
                               "spec.template.spec.containers[0].env[0].value is 8, expected a str"),
                              ({"suspend": 1}, "spec.suspend is 1, expected a bool"), ({"template": []}, "spec.template is not an object")]:
            self.assertEqual(mistakes(spec, shape, "spec"), [message])

    def test_the_job_is_indexed(self):
        for name, count in [("base", 8), ("overlay", 16)]:
            (job,) = [item for item in built(KUBERNETES / name) if item["metadata"]["name"] == "replay"]
            spec, pod = job["spec"], job["spec"]["template"]["spec"]
            self.assertEqual(spec["completionMode"], "Indexed")
            self.assertEqual((spec["completions"], spec["parallelism"]), (count, count))
            environment = {variable["name"]: variable["value"] for variable in pod["containers"][0]["env"]}
            self.assertEqual(environment, {"SHARDS": str(count), "LOGS": "/logs", "RESULTS": "/results"})
            # Both need a pod that is not restarted in its place.
            self.assertEqual(pod["restartPolicy"], "Never")
            self.assertIn("backoffLimitPerIndex", spec)
            self.assertNotIn("backoffLimit", spec)

    def test_the_summary_waits(self):
        (job,) = [item for item in built(KUBERNETES / "base") if item["metadata"]["name"] == "replay-summary"]
        self.assertIs(job["spec"]["suspend"], True)
        self.assertEqual(job["spec"]["backoffLimit"], 0)

    def test_containers_may_do_nothing_but_their_work(self):
        jobs = [item for item in built(KUBERNETES / "overlay") if item["kind"] == "Job"]
        self.assertEqual(len(jobs), 2)
        for job in jobs:
            pod = job["spec"]["template"]["spec"]
            context = pod["securityContext"]
            self.assertIs(context["runAsNonRoot"], True)
            self.assertGreater(context["runAsUser"], 0)
            self.assertEqual(context["seccompProfile"], {"type": "RuntimeDefault"})
            self.assertIs(pod["automountServiceAccountToken"], False)
            volumes = {volume["name"]: volume for volume in pod["volumes"]}
            for container in pod["containers"]:
                self.assertEqual(container["image"], "registry.example.com/app-replay:1")
                self.assertEqual(container["securityContext"], {
                    "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})
                mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
                # Each volume is used, and the tool's folder for temporary files can be written.
                self.assertEqual(set(mounts), set(volumes))
                self.assertEqual(mounts["tmp"]["mountPath"], "/tmp")
                self.assertIn("emptyDir", volumes["tmp"])
                if "logs" in mounts:
                    self.assertIs(mounts["logs"]["readOnly"], True)

    def test_claims_and_volumes_go_together(self):
        objects = built(KUBERNETES / "overlay")
        claims = {item["metadata"]["name"]: item["spec"] for item in objects if item["kind"] == "PersistentVolumeClaim"}
        (volume,) = [item for item in objects if item["kind"] == "PersistentVolume"]
        claim = claims["replay-logs"]
        self.assertEqual(claim["volumeName"], volume["metadata"]["name"])
        self.assertEqual(claim["storageClassName"], volume["spec"]["storageClassName"])
        self.assertEqual(claim["accessModes"], volume["spec"]["accessModes"])
        self.assertEqual(claim["resources"]["requests"], volume["spec"]["capacity"])
        self.assertEqual(volume["spec"]["csi"]["volumeAttributes"]["bucketName"], "example-logs")
        user = next(item for item in objects if item["kind"] == "Job")["spec"]["template"]["spec"]["securityContext"]["runAsUser"]
        self.assertIn("uid=%d" % user, volume["spec"]["mountOptions"])
        used = {volume["persistentVolumeClaim"]["claimName"] for item in objects if item["kind"] == "Job"
                for volume in item["spec"]["template"]["spec"]["volumes"] if "persistentVolumeClaim" in volume}
        self.assertEqual(used, set(claims))

    def test_the_image(self):
        text = (KUBERNETES / "Dockerfile").read_text().replace("\\\n", " ")
        lines = [line.split(None, 1) for line in text.split("\n") if line and not line.startswith("#")]
        self.assertEqual([word for word, _ in lines],
                         ["FROM", "ARG", "RUN", "WORKDIR", "COPY", "RUN", "COPY", "FROM", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT"])
        values = dict(lines)
        self.assertEqual(values["USER"], "65532:65532")
        self.assertEqual(values["ENTRYPOINT"], '["/usr/local/bin/replay-shard"]')
        build = [value for word, value in lines if word == "RUN"][1]
        self.assertIn("-c release", build)
        self.assertIn("--static-swift-stdlib", build)
        source = re.search(r"(\S+) /image/usr/local/bin/replay-shard", text).group(1)
        self.assertTrue((ROOT / source).is_file(), source)
        # The paths that the shard and the manifests use.
        self.assertIn("/image/usr/local/bin/replay-host", text)
        self.assertIn('"${HOST:-/usr/local/bin/replay-host}"', (KUBERNETES / "replay-shard").read_text())

    def test_the_workflow(self):
        (workflow,) = documents(ROOT / "Fleet/github/replay.yml")
        # YAML 1.1 reads the key `on` as true.
        self.assertEqual(set(workflow), {"name", True, "permissions", "env", "jobs"})
        jobs = workflow["jobs"]
        self.assertEqual([job.get("needs") for job in jobs.values()], [None, "build", "replay"])
        matrix = jobs["replay"]["strategy"]["matrix"]["index"]
        self.assertEqual(matrix, list(range(len(matrix))))
        self.assertIs(jobs["replay"]["strategy"]["fail-fast"], False)
        uploads, downloads = set(), set()
        for job in jobs.values():
            for step in job["steps"]:
                self.assertEqual(len({"uses", "run"} & set(step)), 1, step)
                if step.get("uses", "").startswith("actions/upload-artifact@"):
                    uploads.add(step["with"]["name"].replace("${{ matrix.index }}", "*"))
                if step.get("uses", "").startswith("actions/download-artifact@"):
                    downloads.add(step["with"].get("name") or step["with"]["pattern"])
        self.assertLessEqual(downloads, uploads)
        # Whoever copies it has nothing else of this repository.
        commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
        self.assertNotIn("Fleet/", "\n".join(commands))
        for job in jobs.values():
            for step in job["steps"]:
                for expression in re.findall(r"\$\{\{ (.*?) \}\}", str(step)):
                    self.assertRegex(expression, r"^(matrix\.index|strategy\.job-total|github\.run_id|always\(\))$")


if __name__ == "__main__":
    unittest.main()
